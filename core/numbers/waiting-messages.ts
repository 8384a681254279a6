import { Injectable } from '@nestjs/common';

/** Ends the messages of an account that wait for a number. */
export interface EndsWaiting {
  /** Ends some messages, in bounded time; returns whether more may wait. Safe to repeat. */
  endWaiting(accountId: string, number: string): Promise<boolean>;
}

/**
 * The messages that wait for numbers. Features that store them register, and are called when a
 * number is released.
 */
@Injectable()
export class WaitingMessages {
  private readonly keepers: EndsWaiting[] = [];

  register(keeper: EndsWaiting): void {
    this.keepers.push(keeper);
  }

  /** Ends some of the messages that wait for a released number; returns whether more may wait. */
  async end(accountId: string, number: string): Promise<boolean> {
    const more = await Promise.all(this.keepers.map((keeper) => keeper.endWaiting(accountId, number)));
    return more.includes(true);
  }
}
