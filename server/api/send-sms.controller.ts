import { Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { sendSmsBody, type SendSmsAnswer } from '#contract/messages.js';
import type { AcceptedMessage } from '#core/messages/send/accept-message.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { IdempotencyKey, sendable } from '../http/input.js';
import { ApiBody, ApiKeyGuard, Caller, required, type ApiCaller } from './api-key.guard.js';

const sendSmsFields = sendSmsBody
  .check(sendable('to', 'message', 'reference'))
  .transform(required('to', 'message', 'apikey'));

/** POST /api/sendsms */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class SendSmsController {
  constructor(private readonly sendMessage: SendMessage) {}

  @Post('sendsms')
  @HttpCode(200)
  @ApiBody(sendSmsFields)
  async send(
    @Caller() { key, address, context }: ApiCaller,
    @Body() { to, message: text, reference }: z.infer<typeof sendSmsFields>,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendSmsAnswer> {
    const accepted = await this.sendMessage.send({
      key,
      address,
      context,
      to,
      text,
      reference: reference || undefined,
      idempotencyKey,
    });
    return acceptedAnswer(accepted, reply);
  }
}

/** The answer for an accepted message of any kind. A header marks the repeated answer of an idempotent request. */
export function acceptedAnswer(accepted: AcceptedMessage, reply: FastifyReply): SendSmsAnswer {
  const { messageId, segments, credits, reference, repliesUnavailable, test, replayed } = accepted;
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return {
    success: 'true',
    message_id: messageId,
    segments,
    credits,
    ...(reference !== undefined && { reference }),
    ...(repliesUnavailable && { replies: 'unavailable' as const }),
    ...(test && { test: true as const }),
  };
}
