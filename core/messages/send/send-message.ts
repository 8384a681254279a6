import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { AcceptMessage, type MessageRequest } from './accept-message.js';
import type { AcceptedMessage } from './accepted-message.js';
import { CallerPrice } from './caller-price.js';
import { PrepareFiles } from './prepare-files.js';
import { contentOf, type FormedMessage, type MessageMediaOptions, PriceMessage } from './price-message.js';
import { type SendOptions, timingOf } from './send-options.js';

/** A message of one caller to one recipient. */
export interface MessageInput extends Omit<MessageRequest, 'kind' | 'timing' | 'from' | 'files' | 'dedupeSeconds'> {
  readonly to: string;
  readonly text: string;
  readonly options?: SendOptions;
  /** The files of a message with files. */
  readonly media?: MessageMediaOptions | undefined;
}

/**
 * Sends one message: prices it, prepares its files if it has any, and accepts it; the worker hands
 * it to the carrier. Throws as {@link AcceptMessage}, and the errors of files, which charge nothing.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly callerPrice: CallerPrice,
    private readonly prepareFiles: PrepareFiles,
    private readonly priceMessage: PriceMessage,
  ) {}

  async send(input: MessageInput): Promise<AcceptedMessage> {
    const { to, text, options = {}, media, callback } = input;
    const called = callback ? [callback.format, callback.url, callback.data] : null;
    const fields = [to, text, options, called, ...(media ? [media] : [])];
    const formed = await this.priceMessage.ofCaller(input);
    const request = requestOf(input, kindOf(formed, media));
    if (formed instanceof DomainError) return this.acceptMessage.accept(request, fields, formed);
    const priced = await this.callerPrice.of(input, formed.message, contentOf(formed, media));
    if (priced instanceof DomainError) return this.acceptMessage.accept(request, fields, priced);
    const message = { id: newMessageId(), ...priced };
    if (!media) return this.acceptMessage.accept(request, fields, message);
    const { key } = input;
    const leavesAt = options.sendAt ?? new Date();
    return this.acceptMessage.accept(request, fields, message, (accountId) =>
      this.prepareFiles.attach({ key, accountId, from: options.from, leavesAt }, { ...formed, message }, media),
    );
  }
}

function requestOf(
  { key, reference, idempotencyKey, callback, address, context, options = {} }: MessageInput,
  kind: 'sms' | 'mms',
): MessageRequest {
  const { from, dedupeSeconds } = options;
  const timing = timingOf(options);
  return { kind, key, from, reference, idempotencyKey, timing, dedupeSeconds, callback, address, context };
}

/** Returns `mms` for a message that leaves with files, or that the rules refuse with files. */
export function kindOf(formed: FormedMessage | DomainError, media: MessageMediaOptions | undefined): 'sms' | 'mms' {
  const hasFiles = formed instanceof DomainError ? media !== undefined : formed.as === 'mms';
  return hasFiles ? 'mms' : 'sms';
}
