import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendSmsBody, type SendSmsAnswer, type SendSmsBody } from '#contract/send-sms.js';
import { DomainError } from '#core/errors/domain-error.js';
import { SendMessage, type AcceptedMessage } from '#core/messages/send-message.js';
import { isSendableText } from '#core/rules/message-text.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';
import { idempotencyKeyOf } from './idempotency-key.js';

/** POST /api/sendsms: one message in, its id out. */
@Controller('api')
export class SendSmsController {
  constructor(
    private readonly caller: ApiCaller,
    private readonly sendMessage: SendMessage,
  ) {}

  @Post('sendsms')
  @HttpCode(200)
  async sendSms(
    @Body(new ContractPipe(sendSmsBody)) body: SendSmsBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendSmsAnswer> {
    const idempotencyKey = idempotencyKeyOf(request);
    const { to, message: text } = body;
    const reference = body.reference || undefined;
    refuseUnsendable([to, text, reference]);
    const apiKey = this.caller.keyOf(request, body.apikey);
    if (!to || !text || !apiKey)
      throw new DomainError('missing_fields', 'Send "to", "message" and "apikey", none of them empty.');
    const key = await this.caller.admit(request, reply, apiKey);
    const accepted = await this.sendMessage.run({
      key,
      to: numberOf(to, request),
      text,
      reference,
      idempotencyKey,
      address: request.ip,
    });
    if (accepted.replayed) reply.header('Idempotent-Replayed', 'true');
    return answerOf(accepted);
  }
}

function answerOf({ messageId, segments, credits, reference, test }: AcceptedMessage): SendSmsAnswer {
  return {
    success: 'true',
    message_id: messageId,
    segments,
    credits,
    ...(reference !== undefined && { reference }),
    ...(test && { test: true as const }),
  };
}

function refuseUnsendable(texts: (string | null | undefined)[]): void {
  if (texts.every((text) => !text || isSendableText(text))) return;
  throw new DomainError('invalid_request', 'A text has a NUL character or half a surrogate pair.');
}

/** In a form, an unescaped + arrives as a space: what is left of "+44…" is taken for what was meant. */
function numberOf(to: string, request: FastifyRequest): string {
  const isForm = request.headers['content-type']?.includes('application/x-www-form-urlencoded') ?? false;
  return isForm && /^ \d/.test(to) ? `+${to.slice(1)}` : to;
}
