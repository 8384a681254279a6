import { Injectable } from '@nestjs/common';
import type { BatchView } from '#contract/bulk.js';
import { limits } from '#contract/limits.js';
import { messageStatuses, type MessageStatus } from '#contract/messages.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { batchIdFromPublic, publicBatchId, unknownIdText } from '../../rules/ids.js';
import { CancelMessage } from '../status/cancel-message.js';
import { BatchesRepository, type Batch, type BatchPart } from './batches.repository.js';
import type { BatchNumbers } from '../store/messages.repository.js';

/** Batches of messages that were accepted together, for reading. */
@Injectable()
export class Batches {
  constructor(
    private readonly batches: BatchesRepository,
    private readonly cancelMessage: CancelMessage,
  ) {}

  /** Throws `batch_not_found`, also for another account's batch. */
  async show(accountId: string, publicId: string): Promise<BatchView> {
    const batch = await this.find(accountId, publicId);
    return viewOf(batch, await this.batches.parts(batch));
  }

  /**
   * A page of an account's batches, newest first. The cursor is the last batch shown. Throws
   * `invalid_request`.
   */
  async list(
    accountId: string,
    cursor: string | undefined,
  ): Promise<{ batches: BatchView[]; nextCursor: string | null }> {
    const last = cursor === undefined ? undefined : await this.known(accountId, cursor);
    if (cursor !== undefined && !last) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    const page = await this.batches.page(accountId, last?.firstNumber, limits.batchesPageSize + 1);
    const batches = page.slice(0, limits.batchesPageSize).map((batch) => viewOf(batch, batch.parts));
    return { batches, nextCursor: page.length > batches.length ? (batches.at(-1)?.batch_id ?? null) : null };
  }

  /**
   * Cancels the messages that are scheduled or queued, and refunds them; returns the updated batch
   * and the number canceled by this call. Throws `batch_not_found`, and `not_cancelable` if no
   * message is or was canceled.
   */
  async cancel(
    accountId: string,
    publicId: string,
    context?: RequestContext,
  ): Promise<BatchView & { readonly canceled: number }> {
    const batch = await this.find(accountId, publicId);
    const canceled = await this.cancelMessage.cancelBatch(accountId, numbersOf(batch), context);
    const view = await this.show(accountId, publicId);
    if (canceled === 0 && view.statuses.canceled === 0)
      throw new DomainError('not_cancelable', 'No message of this batch is still scheduled or queued.');
    return { ...view, canceled };
  }

  /** Throws `batch_not_found`. */
  async numbersOf(accountId: string, publicId: string): Promise<BatchNumbers> {
    return numbersOf(await this.find(accountId, publicId));
  }

  private async find(accountId: string, publicId: string): Promise<Batch> {
    const batch = await this.known(accountId, publicId);
    if (!batch) throw new DomainError('batch_not_found', unknownIdText('batch', publicId));
    return batch;
  }

  private async known(accountId: string, publicId: string): Promise<Batch | undefined> {
    const id = batchIdFromPublic(publicId);
    return id ? this.batches.find(accountId, id) : undefined;
  }
}

/** A batch as its account sees it. */
function viewOf(batch: Batch, parts: readonly BatchPart[]): BatchView {
  const counts = new Map<MessageStatus, number>(parts.map(({ status, messages }) => [status, messages]));
  const countOf = (status: MessageStatus) => [status, counts.get(status) ?? 0] as const;
  return {
    batch_id: publicBatchId(batch.id),
    created_at: batch.createdAt.toISOString(),
    messages: batch.messages,
    statuses: Object.fromEntries(messageStatuses.map(countOf)) as BatchView['statuses'],
    credits: batch.credits,
    refunded: parts.reduce((sum, { refunded }) => sum + refunded, 0),
  };
}

function numbersOf({ firstNumber, messages }: Batch): BatchNumbers {
  return { first: firstNumber, below: firstNumber + messages };
}
