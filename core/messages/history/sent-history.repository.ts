import { Injectable } from '@nestjs/common';
import type { SentFilter } from '#contract/histories.js';
import type { MessageStatus } from '#contract/messages.js';
import { History } from '../../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../../platform/database/numbered-rows.js';
import { Postgres } from '../../platform/database/postgres.js';
import { numberCondition, textCondition } from './message-conditions.sql.js';

export interface SentMessage extends Numbered {
  readonly id: string;
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly status: MessageStatus;
  readonly credits: number;
  readonly refunded: number;
  readonly reference: string | null;
  readonly errorCode: string | null;
}

/** With what only one message's own page shows. */
export interface SentMessageDetails extends SentMessage {
  readonly sender: string;
  readonly carrierError: number | null;
  readonly claimedAt: Date | null;
  readonly sentAt: Date | null;
  readonly finishedAt: Date | null;
}

const columns = 'id, recipient, body, segments, status, credits, refunded, reference, error_code AS "errorCode"';

const details = {
  name: 'sent-details-1',
  text: `SELECT number::float8 AS number, created_at AS "createdAt", ${columns}, sender, carrier_error AS "carrierError",
    claimed_at AS "claimedAt", sent_at AS "sentAt", finished_at AS "finishedAt"
    FROM messages WHERE id = $1 AND account_id = $2`,
};

/** Sent messages as the dashboard reads them. */
@Injectable()
export class SentHistoryRepository {
  readonly history: History<SentMessage>;

  constructor(private readonly postgres: Postgres) {
    this.history = new History(new NumberedRows<SentMessage>(postgres, { table: 'messages', columns }));
  }

  /** The first one with an index leads a search: a whole phone number finds fewer rows than a state. */
  conditionsOf({ number, status, text }: SentFilter): Condition[] {
    return [
      ...(number === undefined ? [] : [numberCondition('recipient', number)]),
      ...(status === undefined ? [] : [statusCondition(status)]),
      ...(text === undefined ? [] : [textCondition(text)]),
    ];
  }

  async find(accountId: string, id: string): Promise<SentMessageDetails | undefined> {
    const [message] = await this.postgres.query<SentMessageDetails>(details, [id, accountId]);
    return message;
  }
}

/** Spelled out where it has a partial index, which Postgres uses only when it can see that the rows are in it. */
function statusCondition(status: MessageStatus): Condition {
  if (status !== 'undelivered' && status !== 'failed')
    return { sql: (value) => `status = ${value}`, value: status, index: 'none' };
  const isIndexed = `status IN ('undelivered', 'failed')`;
  return { sql: (value) => `${isIndexed} AND status = ${value}`, value: status, index: 'numbers' };
}
