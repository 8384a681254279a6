import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import type { MessageEntity } from '../store/message.entity.js';
import { type BatchNumbers, messageNotFound, MessagesRepository } from '../store/messages.repository.js';
import { StatusUpdates } from './status-updates.js';

/** Messages of a batch that are canceled in one transaction. */
const BATCH_STEP = 200;

/** Cancels scheduled and queued messages. */
@Injectable()
export class CancelMessage {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly statusUpdates: StatusUpdates,
    private readonly queue: DispatchQueue,
    private readonly logger: Logger,
  ) {}

  /**
   * Cancels a message of the account, refunds it, and returns it; a canceled message does not
   * change. Either this or the claim of dispatch changes the message: both lock its row. Throws
   * `message_not_found`, and `not_cancelable` for a one-time password or a message that dispatch
   * has or that has ended.
   */
  async cancel(accountId: string, publicId: string, context?: RequestContext): Promise<MessageEntity> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.findOf(accountId, id) : null;
    if (message?.kind === 'otp') throw refusal('A one-time password cannot be canceled; it expires by itself.');
    if (message && (message.status === 'scheduled' || message.status === 'queued')) {
      const { id: messageId, status: from } = message;
      const update = { id: messageId, status: 'canceled', carrierId: null, onlyWaiting: true, context } as const;
      if (await this.statusUpdates.apply(update)) {
        if (from === 'queued') this.queue.started(accountId);
        this.logger.info({ ...contextFields(context), messageId, accountId, from }, 'message canceled');
      }
    }
    const now = id ? await this.messages.findOf(accountId, id) : null;
    if (!now) throw messageNotFound(publicId);
    if (now.status !== 'canceled')
      throw refusal(`Only a scheduled or queued message can be canceled; this one is ${now.status}.`);
    return now;
  }

  /**
   * Cancels the messages of a batch that wait, in order and in bounded transactions, and refunds
   * them. Returns their number. Safe to repeat, also after a crash.
   */
  async cancelBatch(accountId: string, numbers: BatchNumbers, context?: RequestContext): Promise<number> {
    let canceled = 0;
    let { first } = numbers;
    for (;;) {
      const waiting = await this.messages.waiting(accountId, { first, below: numbers.below }, BATCH_STEP);
      const last = waiting.at(-1);
      if (!last) break;
      const done = await Promise.all(
        waiting.map(({ id }) =>
          this.statusUpdates.apply({ id, status: 'canceled', carrierId: null, onlyWaiting: true, context }),
        ),
      );
      waiting.forEach(({ status }, index) => {
        if (!done[index]) return;
        canceled += 1;
        if (status === 'queued') this.queue.started(accountId);
      });
      first = last.number + 1;
    }
    this.logger.info({ ...contextFields(context), accountId, canceled }, 'batch canceled');
    return canceled;
  }
}

function refusal(detail: string): DomainError {
  return new DomainError('not_cancelable', detail);
}
