import { Injectable } from '@nestjs/common';
import type { ReceivedAnswer, ReceivedFilter, ReceivedQuery, ReceivedRow } from '#contract/histories.js';
import type { CsvCell } from '../rules/csv.js';
import { publicMessageId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/new-york-time.js';
import { ReceivedHistoryRepository, type ReceivedMessage } from './received-history.repository.js';

const csvHead = [
  'Date (New York)',
  'Time (UTC)',
  'Received From',
  'Received By',
  'Message',
  'Segments Used',
  'MessageId',
  'Status',
  'Credits',
];

/** The messages that an account has received, newest first. */
@Injectable()
export class ReceivedHistory {
  constructor(private readonly messages: ReceivedHistoryRepository) {}

  async page(accountId: string, { page, ...filter }: ReceivedQuery): Promise<ReceivedAnswer> {
    const conditions = this.messages.conditionsOf(filter);
    const found = await this.messages.history.page(accountId, page, filter, conditions);
    return { ...found, rows: found.rows.map(receivedRowOf) };
  }

  /** All of them as a CSV file, read as it is asked for. */
  async csv(accountId: string, filter: ReceivedFilter): Promise<AsyncGenerator<string>> {
    const conditions = this.messages.conditionsOf(filter);
    return this.messages.history.csv(accountId, filter, conditions, { head: csvHead, cellsOf });
  }
}

function receivedRowOf(message: ReceivedMessage): ReceivedRow {
  const { id, createdAt, sender, recipient, body, segments, status, credits } = message;
  return {
    messageId: publicMessageId(id),
    date: newYorkTimestamp(createdAt),
    from: sender,
    to: recipient,
    message: body,
    segments,
    status,
    credits,
  };
}

function cellsOf(message: ReceivedMessage): CsvCell[] {
  const { date, from, to, message: text, segments, messageId, status, credits } = receivedRowOf(message);
  return [date, message.createdAt.toISOString(), from, to, text, segments, messageId, status, credits];
}
