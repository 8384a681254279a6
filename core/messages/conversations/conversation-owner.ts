import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RecentSendersRepository } from './recent-senders.repository.js';

/** A person, and the senders of ours that he answers: a number, and the messaging service it belongs to if there is one. */
export interface Answered {
  readonly person: string;
  readonly senders: readonly string[];
}

/** Whose message a reply answers: the account that texted this person last from this number. */
@Injectable()
export class ConversationOwner {
  constructor(private readonly recentSenders: RecentSendersRepository) {}

  /** One account's id for each, in their order; undefined where nobody has texted. */
  async of(tx: EntityManager, answered: readonly Answered[]): Promise<(string | undefined)[]> {
    if (answered.length === 0) return [];
    const found = await this.recentSenders.last(tx, answered);
    return answered.map((_one, n) => found.get(n));
  }
}
