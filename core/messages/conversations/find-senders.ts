import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../accounts/api-keys.js';
import { Postgres } from '../../platform/database/postgres.js';
import { chooseSender } from '../../rules/sender-choice.js';
import { ConversationsRepository } from './conversations.repository.js';

export interface SenderQuestion {
  readonly key: ApiKey;
  readonly recipient: string;
  /** In the order in which they are taken when all are as good. */
  readonly candidates: readonly string[];
}

interface SenderAnswer {
  readonly sender: string;
  /** Whether it is the account's sender for this recipient from now on. */
  readonly stays: boolean;
}

interface Stranger {
  readonly accountId: string;
  readonly question: SenderQuestion;
}

/**
 * Finds the senders of a batch: the one that the account used before with the recipient, or a new one, which is kept. Two
 * accounts that text a new recipient at the same moment get different ones where there are enough. For who cannot send anyway
 * nothing is kept.
 */
@Injectable()
export class FindSenders {
  constructor(
    private readonly postgres: Postgres,
    private readonly conversations: ConversationsRepository,
  ) {}

  async run(batch: readonly SenderQuestion[]): Promise<SenderAnswer[]> {
    const known = await this.conversations.known(batch.map(({ key, recipient }) => ({ keyHash: key.hash, recipient })));
    const strangers: Stranger[] = [];
    const answers = batch.map((question, n) => {
      const { accountId = null, sender = null, maySend = false } = known[n] ?? {};
      if (sender !== null && question.candidates.includes(sender)) return { sender, stays: !question.key.test };
      if (accountId === null || !maySend || question.key.test) return { sender: preferred(question), stays: false };
      const stranger = { accountId, question };
      strangers.push(stranger);
      return stranger;
    });
    const found = strangers.length > 0 ? await this.introduce(strangers) : new Map<Stranger, string>();
    return answers.map((answer) => {
      if ('sender' in answer) return answer;
      const sender = found.get(answer);
      if (sender === undefined) throw new Error('Every account that texts a new recipient gets a sender');
      return { sender, stays: true };
    });
  }

  private introduce(strangers: readonly Stranger[]): Promise<Map<Stranger, string>> {
    const recipients = [...new Set(strangers.map(({ question }) => question.recipient))];
    return this.postgres.transaction(async (tx) => {
      await this.conversations.lockRecipients(tx, recipients);
      const uses = await this.conversations.uses(tx, recipients);
      const chosen = new Map<Stranger, string>();
      const kept = new Map<string, { accountId: string; recipient: string; sender: string }>();
      for (const stranger of strangers) {
        const { accountId, question } = stranger;
        const { recipient, candidates } = question;
        const ofRecipient = uses.get(recipient) ?? [];
        const sender = chooseSender(candidates, accountId, ofRecipient);
        ofRecipient.push({ accountId, sender, at: new Date() });
        chosen.set(stranger, sender);
        kept.set(`${accountId} ${recipient}`, { accountId, recipient, sender });
      }
      await this.conversations.keep(tx, [...kept.values()]);
      return chosen;
    });
  }
}

function preferred({ candidates: [first] }: SenderQuestion): string {
  if (first === undefined) throw new Error('The configuration names at least one sender');
  return first;
}
