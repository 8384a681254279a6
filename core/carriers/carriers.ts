import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import type { Carrier } from './carrier.js';

/** Builds the carriers that are configured, in the order of `Config.carriers`. */
export type BuildCarriers = (config: Config) => readonly Carrier[] | Promise<readonly Carrier[]>;

/** The carriers that are configured. */
@Injectable()
export class Carriers implements OnApplicationShutdown {
  constructor(readonly all: readonly Carrier[]) {}

  /** One that a claim has chosen by the same configuration. Throws when it is not configured. */
  of(number: number): Carrier {
    const carrier = this.find(number);
    if (!carrier) throw new Error(`Carrier ${number} is not configured`);
    return carrier;
  }

  /** Undefined for a carrier that is not configured any more, while its messages may be in flight. */
  find(number: number): Carrier | undefined {
    return this.all.find((carrier) => carrier.number === number);
  }

  /**
   * The numbers of the carriers whose messages a job leaves to another: a job of the shared queue
   * those of all exclusive ones, a job of a carrier's own queue those that this worker is not
   * connected to.
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
