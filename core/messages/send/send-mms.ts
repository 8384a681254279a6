import { Injectable } from '@nestjs/common';
import { MediaFilesUnavailable } from '../../media/media-files.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { newMessageId } from '../../rules/ids.js';
import {
  AcceptMessage,
  type AcceptedMessage,
  IdempotencyKeysInFlight,
  type MessageRequest,
  type PreparedMessage,
} from './accept-message.js';
import { CallerPrice } from './caller-price.js';
import { refusalOf } from './decision.js';
import { type SendOptions, timingOf } from './send-options.js';
import { LinkedTexts, type MessageMediaOptions, PriceMms, type PricedMms } from './price-mms.js';
import { type FilesCaller, PrepareFiles } from './prepare-files.js';

interface SendMmsInput extends Omit<MessageRequest, 'kind' | 'timing' | 'from' | 'files'> {
  readonly to: string;
  readonly text: string;
  readonly options: SendOptions;
  readonly media: MessageMediaOptions;
}

/** A message with files that is about to be accepted. */
interface MmsToAccept {
  readonly request: MessageRequest;
  readonly fields: readonly unknown[];
  readonly priced: PricedMms;
  readonly message: PreparedMessage;
}

/**
 * Sends one message with files. Nothing is fetched for a message that would be refused or that an
 * earlier request has made, so that a repeated request does not depend on the present content of a
 * URL.
 */
@Injectable()
export class SendMms {
  private readonly inFlight = new IdempotencyKeysInFlight();

  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly callerPrice: CallerPrice,
    private readonly priceMms: PriceMms,
    private readonly linkedTexts: LinkedTexts,
    private readonly prepareFiles: PrepareFiles,
    private readonly metrics: Metrics,
  ) {}

  /** Throws as {@link AcceptMessage}, and the errors of files, which charge nothing. */
  async send(input: SendMmsInput): Promise<AcceptedMessage> {
    const { to, text, options, media, callback } = input;
    const called = callback ? [callback.format, callback.url, callback.data] : null;
    const fields = [to, text, options, called, media];
    const priced = await this.priceMms.ofCaller(input);
    if (priced instanceof DomainError) return this.acceptMessage.accept(requestOf(input, 'mms'), fields, priced);
    const price = await this.callerPrice.of(input, priced.message, priced.content);
    const request = requestOf(input, priced.as === 'mms' ? 'mms' : 'sms');
    if (price instanceof DomainError) return this.acceptMessage.accept(request, fields, price);
    if (this.inFlight.has(input)) throw refusalOf('idempotency_in_progress', new Date());
    const leave = this.inFlight.enter(input);
    try {
      return await this.accept(input, { request, fields, priced, message: { id: newMessageId(), ...price } });
    } catch (error) {
      throw this.noted(error);
    } finally {
      leave();
    }
  }

  private async accept(
    { key, options, media }: SendMmsInput,
    { request, fields, priced, message }: MmsToAccept,
  ): Promise<AcceptedMessage> {
    const foreseen = await this.acceptMessage.foresee(request, fields, message);
    if (foreseen.kind === 'answered') return foreseen.answer;
    const leavesAt = options.sendAt ?? new Date();
    const caller: FilesCaller = { key, accountId: foreseen.accountId, from: options.from, leavesAt };
    const files = await this.prepareFiles.find(caller, media);
    if (priced.as === 'links') {
      const ids = await this.prepareFiles.forLinks(caller, files);
      const body = key.test ? message.body : this.linkedTexts.of(priced.text, ids, leavesAt);
      return this.acceptMessage.accept(request, fields, { ...message, body });
    }
    const { row, shown } = await this.prepareFiles.forMms(caller, files, message.price, media);
    const accepted = await this.acceptMessage.accept({ ...request, files: row }, fields, message);
    return accepted.replayed || accepted.deduplicated ? accepted : { ...accepted, files: shown };
  }

  /** Acceptance counts its own refusals. */
  private noted(error: unknown): unknown {
    if (error instanceof MediaFilesUnavailable) return storeUnavailable(error);
    if (error instanceof DomainError && error.code.startsWith('media_'))
      this.metrics.accepts.inc({ verdict: error.code });
    return error;
  }
}

export function storeUnavailable(cause: unknown): DomainError {
  const detail = 'The store of files is temporarily unavailable. You were not charged. Try again.';
  return new DomainError('unavailable', detail, { cause, retryAfterSeconds: 1 });
}

function requestOf(
  { key, reference, idempotencyKey, callback, address, context, options }: SendMmsInput,
  kind: 'sms' | 'mms',
): MessageRequest {
  const timing = timingOf(options);
  const { from, dedupeSeconds } = options;
  return { kind, key, from, reference, idempotencyKey, timing, dedupeSeconds, callback, address, context };
}
