import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import type { NumberCarrier } from './number-carrier.js';

/** Builds the carriers that are configured and sell numbers. */
export type BuildNumberCarriers = (config: Config) => readonly NumberCarrier[] | Promise<readonly NumberCarrier[]>;

/**
 * The configured carriers that sell numbers. New numbers are bought at `seller`; a number stays at
 * the carrier that sold it.
 */
@Injectable()
export class NumberCarriers implements OnApplicationShutdown {
  readonly seller: NumberCarrier;

  /** `seller` is the carrier's number, as in `messages.carrier`. */
  constructor(
    readonly all: readonly NumberCarrier[],
    seller: number,
  ) {
    this.seller = this.of(seller);
  }

  /** Throws for a carrier that is not configured, or no longer configured. */
  of(carrier: number): NumberCarrier {
    const found = this.all.find((one) => one.carrier === carrier);
    if (!found) throw new Error(`Carrier ${carrier}, which sells numbers, is not configured`);
    return found;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map((carrier) => carrier.close()));
  }
}
