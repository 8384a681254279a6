import { Injectable } from '@nestjs/common';
import type { SentAnswer, SentFilter, SentQuery, SentRow } from '#contract/histories.js';
import type { CsvCell } from '../../rules/csv.js';
import { publicMessageId } from '../../rules/ids.js';
import { newYorkTimestamp } from '../../rules/new-york-time.js';
import { SentHistoryRepository, type SentMessage } from './sent-history.repository.js';

const csvHead = [
  'Date (New York)',
  'Time (UTC)',
  'Sent To',
  'Message',
  'Segments Used',
  'MessageId',
  'Status',
  'Credits',
  'Refunded',
  'Error',
  'Reference',
];

/** The messages that an account has sent, newest first. */
@Injectable()
export class SentHistory {
  constructor(private readonly messages: SentHistoryRepository) {}

  async page(accountId: string, { page, ...filter }: SentQuery): Promise<SentAnswer> {
    const conditions = this.messages.conditionsOf(filter);
    const found = await this.messages.history.page(accountId, page, filter, conditions);
    return { ...found, rows: found.rows.map(sentRowOf) };
  }

  /** All of them as a CSV file, read as it is asked for. */
  async csv(accountId: string, filter: SentFilter): Promise<AsyncGenerator<string>> {
    const conditions = this.messages.conditionsOf(filter);
    return this.messages.history.csv(accountId, filter, conditions, { head: csvHead, cellsOf });
  }
}

export function sentRowOf(message: SentMessage): SentRow {
  const { id, createdAt, recipient, body, segments, status, credits, refunded, errorCode } = message;
  return {
    messageId: publicMessageId(id),
    date: newYorkTimestamp(createdAt),
    to: recipient,
    message: body,
    segments,
    status,
    credits,
    refunded,
    error: errorCode,
  };
}

function cellsOf(message: SentMessage): CsvCell[] {
  const { date, to, message: text, segments, messageId, status, credits, refunded, error } = sentRowOf(message);
  const time = message.createdAt.toISOString();
  return [date, time, to, text, segments, messageId, status, credits, refunded, error, message.reference];
}
