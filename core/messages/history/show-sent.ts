import { Injectable } from '@nestjs/common';
import type { SentDetailsAnswer, TimelineStep } from '#contract/histories.js';
import { LedgerHistory } from '../../credits/history/ledger-history.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { messageIdFromPublic } from '../../rules/ids.js';
import { newYorkTimestamp } from '../../rules/new-york-time.js';
import { segmentsOf } from '../../rules/segments.js';
import { SentHistoryRepository, type SentMessageDetails } from './sent-history.repository.js';
import { sentRowOf } from './sent-history.js';

/** One sent message: its way so far, its price, and what moved credits. Throws `message_not_found`, also for another account's. */
@Injectable()
export class ShowSent {
  constructor(
    private readonly messages: SentHistoryRepository,
    private readonly ledger: LedgerHistory,
  ) {}

  async run(accountId: string, publicId: string): Promise<SentDetailsAnswer> {
    const id = messageIdFromPublic(publicId);
    const message = id && (await this.messages.find(accountId, id));
    if (!message) throw new DomainError('message_not_found', 'This account has no message with this id.');
    return {
      ...sentRowOf(message),
      encoding: segmentsOf(message.body).encoding,
      from: message.sentAt ? message.sender : null,
      reference: message.reference,
      carrierError: message.carrierError,
      timeline: timelineOf(message),
      ledger: await this.ledger.ofMessage(accountId, message.id),
    };
  }
}

/** The states it has reached, in order. A message that went back in line is in none but the first again. */
function timelineOf({ status, createdAt, claimedAt, sentAt, finishedAt }: SentMessageDetails): TimelineStep[] {
  const end = status === 'delivered' || status === 'undelivered' || status === 'failed' ? status : undefined;
  return [
    ...stepOf('queued', createdAt),
    ...(status === 'queued' ? [] : stepOf('sending', claimedAt)),
    ...stepOf('sent', sentAt),
    ...(end ? stepOf(end, finishedAt) : []),
  ];
}

function stepOf(status: TimelineStep['status'], at: Date | null): TimelineStep[] {
  return at ? [{ status, date: newYorkTimestamp(at), at: at.toISOString() }] : [];
}
