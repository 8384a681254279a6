import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { AcceptMessage, type AcceptedMessage, type MessageRequest } from './accept-message.js';
import { quoteOf } from './quote.js';

export interface SendMessageInput extends MessageRequest {
  readonly to: string;
  readonly text: string;
}

/** Sends one message: prices it and accepts it; the worker hands it to the carrier. Throws as {@link AcceptMessage}. */
@Injectable()
export class SendMessage {
  constructor(private readonly acceptMessage: AcceptMessage) {}

  async send({ to, text, ...request }: SendMessageInput): Promise<AcceptedMessage> {
    const quote = quoteOf(to, text);
    const message =
      quote instanceof DomainError ? quote : { id: newMessageId(), kind: 'sms' as const, quote, body: text };
    return this.acceptMessage.accept(request, [to, text], message);
  }
}
