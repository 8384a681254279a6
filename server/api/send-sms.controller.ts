import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendSmsBody, type SendSmsAnswer, type SendSmsBody } from '#contract/send-sms.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { acceptedAnswer } from './accepted-answer.js';
import { requestContextOf } from '../http/request-context.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { numberOf, refuseUnsendable } from './message-fields.js';

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
      origin: requestContextOf(request),
    });
    return acceptedAnswer(accepted, reply);
  }
}
