import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import type { Carrier } from './carrier.js';

/** Builds the configured carriers, in the order of `Config.carriers`. */
export type BuildCarriers = (config: Config) => readonly Carrier[] | Promise<readonly Carrier[]>;

/** The configured carriers. */
@Injectable()
export class Carriers implements OnApplicationShutdown {
  constructor(readonly all: readonly Carrier[]) {}

  /** Returns the carrier that a claim has chosen. Throws when it is not configured. */
  of(number: number): Carrier {
    const carrier = this.find(number);
    if (!carrier) throw new Error(`Carrier ${number} is not configured`);
    return carrier;
  }

  /**
   * Returns undefined for a carrier that is no longer configured, although its messages may be in
   * flight.
   */
  find(number: number): Carrier | undefined {
    return this.all.find((carrier) => carrier.number === number);
  }

  /**
   * Returns the numbers of the carriers whose messages a job leaves to another queue: all exclusive
   * carriers for a job of the shared queue, and exclusive carriers without a connection here for a
   * job of a carrier's own queue.
   */
  elsewhere(isOwnQueue: boolean): number[] {
    return this.all
      .filter(({ isExclusive, isHere }) => isExclusive && !(isOwnQueue && isHere))
      .map(({ number }) => number);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map((carrier) => carrier.close()));
  }
}
