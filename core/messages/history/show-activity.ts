import { Injectable } from '@nestjs/common';
import type { ActivityAnswer } from '#contract/dashboard.js';
import { daysUntil, newYorkDay } from '../../rules/new-york-time.js';
import { MessageDaysRepository } from './message-days.repository.js';

/** How many messages an account had on each of the last New York days, by state. Costs the same however many they are. */
@Injectable()
export class ShowActivity {
  constructor(private readonly messageDays: MessageDaysRepository) {}

  async run(accountId: string, days: number, now = new Date()): Promise<ActivityAnswer> {
    const wanted = daysUntil(newYorkDay(now), days);
    // The states before the totals: what is accepted in between is queued, and never missing.
    const states = new Map((await this.messageDays.states(accountId, wanted)).map((one) => [one.day, one]));
    const known = wanted.map((day) => states.get(day) ?? { day, ...none });
    const moved = known.map(({ sent, delivered, undelivered, failed }) => sent + delivered + undelivered + failed);
    const totals = await this.messageDays.totals(accountId, wanted, moved);
    return {
      days: known.map((one, index) => {
        // A total falls below its states when the messages themselves have been taken away.
        const queued = Math.max(0, (totals[index] ?? 0) - (moved[index] ?? 0));
        return { ...one, queued };
      }),
    };
  }
}

const none = { sent: 0, delivered: 0, undelivered: 0, failed: 0 };
