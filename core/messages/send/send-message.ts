import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { AcceptMessage, type AcceptedMessage, type MessageRequest } from './accept-message.js';
import { quoteOf } from './quote.js';

export interface SendMessageInput extends MessageRequest {
  readonly to: string;
  readonly text: string;
}

/** Takes one message in: prices it and hands it to {@link AcceptMessage}; the worker sends it. Throws as that does. */
@Injectable()
export class SendMessage {
  constructor(private readonly acceptMessage: AcceptMessage) {}

  run({ to, text, ...request }: SendMessageInput): Promise<AcceptedMessage> {
    return this.acceptMessage.run(request, [to, text], () => {
      const quote = quoteOf(to, text);
      return quote instanceof DomainError ? quote : { id: newMessageId(), kind: 'sms', quote, body: text };
    });
  }
}
