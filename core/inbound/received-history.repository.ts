import { Injectable } from '@nestjs/common';
import type { ReceivedFilter, ReceivedStatus } from '#contract/histories.js';
import { History } from '../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../platform/database/numbered-rows.js';
import { Postgres } from '../platform/database/postgres.js';
import { numberCondition, textCondition } from '../messages/history/message-conditions.sql.js';

export interface ReceivedMessage extends Numbered {
  readonly id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly segments: number;
  readonly status: ReceivedStatus;
  readonly credits: number;
}

const columns = 'id, sender, recipient, body, segments, status, credits';

/** Received messages as the dashboard reads them. */
@Injectable()
export class ReceivedHistoryRepository {
  readonly history: History<ReceivedMessage>;

  constructor(postgres: Postgres) {
    this.history = new History(new NumberedRows<ReceivedMessage>(postgres, { table: 'inbound_messages', columns }));
  }

  /** The first one with an index leads a search. */
  conditionsOf({ number, status, text }: ReceivedFilter): Condition[] {
    return [
      ...(number === undefined ? [] : [numberCondition('sender', number)]),
      ...(status === undefined ? [] : [statusCondition(status)]),
      ...(text === undefined ? [] : [textCondition(text)]),
    ];
  }
}

/** Spelled out where it has a partial index, which Postgres uses only when it can see that the rows are in it. */
function statusCondition(status: ReceivedStatus): Condition {
  if (status === 'received') return { sql: (value) => `status = ${value}`, value: status, index: 'none' };
  return { sql: (value) => `status = 'held' AND status = ${value}`, value: status, index: 'numbers' };
}
