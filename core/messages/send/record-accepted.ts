import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { publicMessageId } from '../../rules/ids.js';
import { MessageCallbacks } from '../../webhooks/callbacks/message-callbacks.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import { MessageFilesRepository } from '../files/message-files.repository.js';
import type { AcceptanceRow } from './acceptance-batch.js';
import type { Decision, Undecided } from './decision.js';

const EVENTS_PER_STATEMENT_MAX = 1_000;

/**
 * Records the event `message.scheduled`, the callbacks and the files of messages, in the
 * transaction that accepts the messages.
 */
@Injectable()
export class RecordAccepted {
  constructor(
    private readonly postgres: Postgres,
    private readonly webhookEvents: WebhookEvents,
    private readonly callbacks: MessageCallbacks,
    private readonly files: MessageFilesRepository,
  ) {}

  /** Whether a batch may need records; most batches need one statement and no transaction. */
  async isNeeded(batch: readonly AcceptanceRow[]): Promise<boolean> {
    if (batch.some(({ callback, files }) => callback || files)) return true;
    return batch.some(({ timing }) => timing?.sendAt) && (await this.webhookEvents.messageSubscribers()) !== undefined;
  }

  async record(
    tx: EntityManager,
    batch: readonly AcceptanceRow[],
    decisions: readonly (Decision | Undecided)[],
  ): Promise<void> {
    await this.storeCallbacks(tx, batch, decisions);
    await this.storeFiles(tx, batch, decisions);
    await this.recordScheduled(tx, batch, decisions);
  }

  private storeCallbacks(
    tx: EntityManager,
    batch: readonly AcceptanceRow[],
    decisions: readonly (Decision | Undecided)[],
  ): Promise<void> {
    const accepted = batch.flatMap(({ id: messageId, recipient, callback, timing }, index) => {
      const decision = decisions[index];
      if (!callback || recipient === null || decision?.kind !== 'accepted') return [];
      return [{ ...callback, messageId, accountId: decision.account.id, recipient, leavesAt: timing?.sendAt ?? null }];
    });
    return this.callbacks.store(tx, accepted);
  }

  private storeFiles(
    tx: EntityManager,
    batch: readonly AcceptanceRow[],
    decisions: readonly (Decision | Undecided)[],
  ): Promise<void> {
    const accepted = batch.flatMap(({ id: messageId, files }, index) => {
      const decision = decisions[index];
      return files && decision?.kind === 'accepted' ? [{ ...files, messageId, accountId: decision.account.id }] : [];
    });
    return this.files.store(tx, accepted);
  }

  private async recordScheduled(
    tx: EntityManager,
    batch: readonly AcceptanceRow[],
    decisions: readonly (Decision | Undecided)[],
  ): Promise<void> {
    if (!batch.some(({ timing }) => timing?.sendAt)) return;
    const mayWant = await this.webhookEvents.messageSubscribers(tx);
    if (!mayWant) return;
    const events = batch.flatMap((row, index) => {
      const decision = decisions[index];
      const sendAt = row.timing?.sendAt;
      return sendAt && decision?.kind === 'accepted' && mayWant(decision.account.id)
        ? [scheduledEvent(decision.account.id, row, sendAt)]
        : [];
    });
    const ids: (string | undefined)[] = [];
    for (let from = 0; from < events.length; from += EVENTS_PER_STATEMENT_MAX)
      ids.push(...(await this.webhookEvents.recordAll(tx, events.slice(from, from + EVENTS_PER_STATEMENT_MAX))));
    this.postgres.afterCommit(tx, () => this.webhookEvents.enqueue(ids));
  }
}

/**
 * Builds the event: the fields of events about a message's state, and its time. Like these it omits
 * the text.
 */
function scheduledEvent(accountId: string, row: AcceptanceRow, sendAt: Date) {
  const { id, recipient, segments, price, reference } = row;
  return {
    accountId,
    type: 'message.scheduled' as const,
    sourceId: id,
    payload: {
      message_id: publicMessageId(id),
      to: recipient,
      status: 'scheduled',
      segments,
      credits: price,
      refunded: 0,
      reference,
      error_code: null,
      carrier_error: null,
      send_at: sendAt.toISOString(),
    },
  };
}
