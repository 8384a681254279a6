import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { reasonOf } from '#contract/delivery-errors.js';
import type { MessageMedia } from '#contract/message-media.js';
import type { MessageView } from '#contract/messages.js';
import { Credits } from '../../credits/credits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { deliveryOf } from '../../rules/delivery.js';
import { messageIdFromPublic, publicMessageId } from '../../rules/ids.js';
import type { MessageEntity } from '../store/message.entity.js';
import { MessageFiles } from '../files/message-files.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import {
  type BatchNumbers,
  type MessageFilter,
  messageNotFound,
  MessagesRepository,
} from '../store/messages.repository.js';

type OperatorMessageView = MessageView & { account_id: string; carrier_id: string | null };

export type { MessageFilter };

interface ChangedMessage {
  readonly accountId: string;
  readonly message: MessageView;
}

/** Outgoing messages, for reading. */
@Injectable()
export class Messages {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly files: MessageFiles,
    private readonly attempts: MessageAttempts,
    private readonly credits: Credits,
  ) {}

  /**
   * Finds a message of the account by its public id. Throws `message_not_found`, also for another
   * account's message.
   */
  async find(accountId: string, publicId: string): Promise<MessageView> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.findOf(accountId, id) : null;
    if (!message) throw messageNotFound(publicId);
    return this.viewOf(message);
  }

  /**
   * Finds any account's message, with the fields that only the operator sees. Throws
   * `message_not_found`.
   */
  async findForOperator(publicId: string): Promise<OperatorMessageView> {
    const id = messageIdFromPublic(publicId);
    const message = id ? await this.messages.find(id) : null;
    if (!message) throw new DomainError('message_not_found', 'No message has this id.');
    const { accountId, carrierId } = message;
    return { ...(await this.viewOf(message)), account_id: accountId, carrier_id: carrierId };
  }

  /**
   * Returns a page of an account's messages, optionally with given numbers and properties, newest
   * first. The cursor is the last message shown or examined: pages of a search may have fewer
   * messages, or none. Throws `invalid_request`.
   */
  async list(
    accountId: string,
    cursor: string | undefined,
    numbers?: BatchNumbers,
    filter?: MessageFilter,
  ): Promise<{ messages: MessageView[]; nextCursor: string | null }> {
    const beforeId = cursor === undefined ? undefined : messageIdFromPublic(cursor);
    if (cursor !== undefined && !beforeId) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    const size = limits.messagesPageSize + 1;
    const { messages: page, scannedTo } = filter
      ? await this.messages.search(accountId, beforeId, size, filter, numbers)
      : { messages: await this.messages.page(accountId, beforeId, size, numbers), scannedTo: null };
    const messages = await this.viewsOf(page.slice(0, limits.messagesPageSize));
    const last = messages.at(-1);
    if (page.length > messages.length && last) return { messages, nextCursor: last.message_id };
    return { messages, nextCursor: scannedTo && publicMessageId(scannedTo) };
  }

  /**
   * Returns messages of any accounts in order of acceptance; the caller shows each only to its own
   * account.
   */
  async changed(ids: readonly string[]): Promise<ChangedMessage[]> {
    if (ids.length === 0) return [];
    const rows = await this.messages.among(ids);
    const views = await this.viewsOf(rows);
    return rows.flatMap(({ accountId }, index) => {
      const message = views[index];
      return message ? [{ accountId, message }] : [];
    });
  }

  /** A message as its account sees it, with its files. */
  async viewOf(message: MessageEntity): Promise<MessageView> {
    const [view] = await this.viewsOf([message]);
    if (!view) throw new Error('A message has no view');
    return view;
  }

  /**
   * Reads files only for messages with files, and hand-overs for messages with more than one claim.
   */
  private async viewsOf(messages: readonly MessageEntity[]): Promise<MessageView[]> {
    const files = await this.files.ofAll(messages.filter(({ kind }) => kind === 'mms'));
    const handOvers = await this.attempts.countAll(messages);
    return messages.map((message) => viewOf(message, handOvers.get(message.id) ?? 0, files.get(message.id)));
  }

  /** Compares balances with the ledger, and every message with its one charge and its refund. */
  async checkCharges(): Promise<{ accounts: number; entries: number; mismatches: number }> {
    const ledger = await this.credits.check();
    return { ...ledger, mismatches: ledger.mismatches + (await this.messages.countChargeMismatches()) };
  }
}

/** A message as its account sees it, with the number of its hand-overs; `files` if they are known. */
export function viewOf(message: MessageEntity, handOvers: number, files?: MessageMedia[]): MessageView {
  return {
    message_id: publicMessageId(message.id),
    to: message.recipient,
    from: message.sentAt ? message.sender : null,
    message: message.body,
    status: message.status,
    segments: message.segments,
    credits: message.credits,
    refunded: message.refunded,
    reference: message.reference,
    error_code: message.errorCode,
    carrier_error: message.carrierError,
    reason: reasonOf(message.errorCode, message.carrierError),
    delivery: deliveryOf(message.kind, message.hedgeSeconds),
    attempts: handOvers,
    created_at: message.createdAt.toISOString(),
    send_at: message.sendAt?.toISOString() ?? null,
    expires_at: message.expiresAt?.toISOString() ?? null,
    sent_at: message.sentAt?.toISOString() ?? null,
    finished_at: message.finishedAt?.toISOString() ?? null,
    ...(message.kind === 'mms' && { kind: message.kind }),
    ...(files && { media: files }),
  };
}
