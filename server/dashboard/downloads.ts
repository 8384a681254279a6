import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { newYorkDay } from '#core/rules/time.js';
import { SavedFilters } from '#core/accounts/saved-filters.js';
import { Invoices } from '#core/billing/invoices/invoices.js';
import { AccountProfile } from './account-profile.js';
import { Payments } from '#core/billing/payments.js';
import { LedgerHistory } from '#core/credits/ledger-history.js';
import { OptOutList } from '#core/inbound/opt-out-list.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { SentHistory } from '#core/messages/history/sent-history.js';

/** Streams JSON Lines like {@link csvDownload}. */
export function jsonLinesDownload(content: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'application/jsonl; charset=utf-8',
    disposition: `attachment; filename="pennytext-${content}-${newYorkDay(new Date())}.jsonl"`,
  });
}

/** Streams JSON like {@link csvDownload}. */
export function jsonDownload(content: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'application/json; charset=utf-8',
    disposition: `attachment; filename="pennytext-${content}-${newYorkDay(new Date())}.json"`,
  });
}

/**
 * Streams CSV as fast as the client reads it and stops when the client disconnects. Names the file
 * by content and day.
 */
export function csvDownload(content: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'text/csv; charset=utf-8; header=present',
    disposition: `attachment; filename="pennytext-${content}-${newYorkDay(new Date())}.csv"`,
  });
}

/**
 * Everything that an account has stored, as one JSON document that is generated while it is read.
 */
@Injectable()
export class AccountExport {
  // oxlint-disable-next-line max-params -- Each part writes one member of the document.
  constructor(
    private readonly profile: AccountProfile,
    private readonly sent: SentHistory,
    private readonly received: ReceivedHistory,
    private readonly optOuts: OptOutList,
    private readonly ledger: LedgerHistory,
    private readonly payments: Payments,
    private readonly invoices: Invoices,
    private readonly savedFilters: SavedFilters,
  ) {}

  /**
   * Generates the document. Its last member is `"complete": true`, so that a truncated file is
   * recognizable. Histories are newest first, each as of the moment when the export reads it.
   */
  async *document(accountId: string): AsyncGenerator<string> {
    yield `{"exportedAt":${JSON.stringify(new Date())},"account":${JSON.stringify(await this.profile.of(accountId))}`;
    const histories = {
      messages: this.sent.all(accountId),
      replies: this.received.all(accountId),
      optouts: this.optOuts.all(accountId),
      ledger: this.ledger.all(accountId),
      payments: this.payments.all(accountId),
      invoices: this.invoices.all(accountId),
      savedFilters: this.savedFilters.all(accountId),
    };
    for (const [name, batches] of Object.entries(histories)) yield* arrayOf(name, batches);
    yield ',"complete":true}\n';
  }
}

async function* arrayOf(name: string, batches: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`;
  let separator = '\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield ']';
}
