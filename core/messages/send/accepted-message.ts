import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { Delivery } from '#contract/messages.js';
import { deliveryOf } from '../../rules/delivery.js';
import { publicMessageId } from '../../rules/ids.js';
import { segmentsOf } from '../../rules/segments.js';
import { MessageFiles } from '../files/message-files.js';
import type { Price } from './price.js';
import { RunAcceptance } from './run-acceptance.js';

/** A message that was accepted, as the answer of its request has it. */
export interface AcceptedMessage {
  readonly accountId: string;
  readonly messageId: string;
  readonly segments: number;
  /** The price in credits; charged unless `test`. */
  readonly credits: number;
  readonly encoding: Price['encoding'];
  /** The text, or its replacement for display. */
  readonly body: string;
  readonly reference: string | undefined;
  /** Balance in credits, after the charge. */
  readonly balance: number;
  /** Time when a scheduled message leaves. */
  readonly sendAt: Date | undefined;
  /** Delivery, if the caller chose it. */
  readonly delivery: Delivery | undefined;
  /** The files as they are sent; in a test, the files that it read. */
  readonly files?: readonly MessageMedia[] | undefined;
  /** Another account owns the conversation with this recipient, and gets the replies. */
  readonly repliesUnavailable: boolean;
  readonly test: boolean;
  /** Whether this is the answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** An earlier message is the answer; nothing was charged. */
  readonly deduplicated: boolean;
}

/** Reads the answers of earlier requests, for requests that repeat them. */
@Injectable()
export class AcceptedMessages {
  constructor(
    private readonly runAcceptance: RunAcceptance,
    private readonly messageFiles: MessageFiles,
  ) {}

  /** Returns the answer of the request that became the message with this UUID. */
  async answerOf(id: string): Promise<AcceptedMessage> {
    const { accountId, kind, segments, credits, body, reference, sendAt, hedgeSeconds, repliesUnavailable, balance } =
      await this.runAcceptance.accepted(id);
    const files = kind === 'mms' ? (await this.messageFiles.ofMessages(accountId, [id])).get(id) : undefined;
    return {
      accountId,
      messageId: publicMessageId(id),
      segments,
      credits,
      encoding: segmentsOf(body).encoding,
      body,
      reference: reference ?? undefined,
      balance,
      sendAt: sendAt ?? undefined,
      delivery: hedgeSeconds === null ? undefined : deliveryOf(kind, hedgeSeconds),
      files,
      repliesUnavailable,
      test: false,
      replayed: true,
      deduplicated: false,
    };
  }
}
