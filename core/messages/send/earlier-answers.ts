import { Injectable } from '@nestjs/common';
import { deliveryOf } from '../../rules/delivery.js';
import { publicMessageId } from '../../rules/ids.js';
import { segmentsOf } from '../../rules/segments.js';
import { MessageFiles } from '../files/message-files.js';
import type { AcceptedMessage } from './accepted-message.js';
import { RunAcceptance } from './run-acceptance.js';

/** Reads the answers of earlier requests, for requests that repeat them. */
@Injectable()
export class EarlierAnswers {
  constructor(
    private readonly runAcceptance: RunAcceptance,
    private readonly messageFiles: MessageFiles,
  ) {}

  /** Returns the answer of the request that became the message with this UUID. */
  async of(id: string): Promise<AcceptedMessage> {
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
