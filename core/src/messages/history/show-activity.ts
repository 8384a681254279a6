import { Injectable } from '@nestjs/common';
import type { ActivityAnswer } from '#contract/activity.js';
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
    const totals = await this.messageDays.totals(accountId, wanted);
    return {
      days: wanted.map((day, index) => {
        const { sent, delivered, undelivered, failed } = states.get(day) ?? none;
        const queued = (totals[index] ?? 0) - sent - delivered - undelivered - failed;
        // A total falls below its states when the messages themselves have been taken away.
        return { day, queued: Math.max(0, queued), sent, delivered, undelivered, failed };
      }),
    };
  }
}

const none = { sent: 0, delivered: 0, undelivered: 0, failed: 0 };
