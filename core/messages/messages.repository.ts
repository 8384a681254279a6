import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Repository } from 'typeorm';
import { creditAccounts, entriesOf } from '../credits/credits.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { MessageEntity } from './message.entity.js';

/**
 * Compares messages with the ledger: each has its charge, and its refund exactly when it is marked as refunded; no charge or refund lacks its
 * message; and the messages of an account are numbered 1, 2, 3 … without a gap.
 */
export const chargeMismatchesStatement = {
  name: 'messages-charge-mismatches-1',
  text: `
SELECT (
  SELECT count(*)
  FROM messages m
  LEFT JOIN ${entriesOf('message', 'otp')} charge
    ON charge.kind = CASE m.kind WHEN 'otp' THEN 'otp' ELSE 'message' END AND charge.source_id = m.id::text
  LEFT JOIN ${entriesOf('refund')} refund ON refund.source_id = m.id::text
  WHERE charge.amount IS DISTINCT FROM -m.credits OR charge.account_id <> m.account_id
    OR coalesce(refund.amount, 0) <> m.refunded OR refund.account_id <> m.account_id
)::int + (
  SELECT count(*)
  FROM ${entriesOf('message', 'otp', 'refund')} l
  WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id::text = l.source_id)
)::int + (
  SELECT count(*)
  FROM (
    SELECT account_id, count(*) AS messages, count(DISTINCT number) AS numbers, max(number) AS last FROM messages GROUP BY account_id
  ) m
  FULL JOIN ${creditAccounts} c USING (account_id)
  WHERE coalesce(c.sent_count, 0) <> coalesce(m.messages, 0) OR m.numbers <> m.messages OR m.last <> m.messages
)::int AS mismatches`,
} as const;

/** Outgoing messages, for reading. */
@Injectable()
export class MessagesRepository {
  constructor(
    @InjectRepository(MessageEntity) private readonly messages: Repository<MessageEntity>,
    private readonly postgres: Postgres,
  ) {}

  async find(id: string): Promise<MessageEntity | null> {
    return this.messages.findOneBy({ id });
  }

  /** Throws when there is no such message. */
  async get(id: string): Promise<MessageEntity> {
    return this.messages.findOneByOrFail({ id });
  }

  async findOf(accountId: string, id: string): Promise<MessageEntity | null> {
    return this.messages.findOneBy({ id, accountId });
  }

  /** Oldest first. */
  async among(ids: readonly string[]): Promise<MessageEntity[]> {
    return this.messages.find({ where: { id: In([...ids]) }, order: { id: 'ASC' } });
  }

  /** Newest first, those before `beforeId` when it is given. */
  async page(accountId: string, beforeId: string | undefined, size: number): Promise<MessageEntity[]> {
    return this.messages.find({
      where: { accountId, ...(beforeId && { id: LessThan(beforeId) }) },
      order: { id: 'DESC' },
      take: size,
    });
  }

  async countChargeMismatches(): Promise<number> {
    const [row] = await this.postgres.query<{ mismatches: number }>(chargeMismatchesStatement, []);
    return row?.mismatches ?? 0;
  }
}
