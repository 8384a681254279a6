import { Body, Controller, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ReceiveMessage } from '#core/inbound/receive-message.js';
import { keepableText } from '#core/rules/message-text.js';
import { segmentsOf } from '#core/rules/segments.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { requestContextOf } from '../http/request-context.js';
import { TwilioSignatureGuard } from './twilio-signature.guard.js';

/** An answer of nothing: no reply is sent by it (https://www.twilio.com/docs/messaging/twiml). */
const EMPTY_TWIML = '<Response/>';
const NUMBER_CHARACTERS_MAX = 256;
const SEGMENTS_MAX = 1_000;

const wishes = { STOP: 'stop', START: 'start', HELP: 'help' } as const;

const text = z.string().transform(keepableText);
const number = text.pipe(z.string().min(1).max(NUMBER_CHARACTERS_MAX));

/**
 * Fields of Twilio's request that we use (https://www.twilio.com/docs/messaging/guides/webhook-request); others come and go.
 * What is only useful when it is good is left out when it is not.
 */
const inboundRequest = z.object({
  MessageSid: z.string().regex(/^[0-9A-Za-z]{1,64}$/),
  From: number,
  To: number,
  Body: text.default(''),
  NumSegments: z.coerce.number().int().min(1).max(SEGMENTS_MAX).optional().catch(undefined),
  MessagingServiceSid: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  OptOutType: z
    .enum(['STOP', 'START', 'HELP'])
    .transform((type) => wishes[type])
    .optional()
    .catch(undefined),
});

/** POST /webhooks/twilio/inbound: replies. Anything but 2xx has Twilio try again or go to its fallback URL. */
@Controller('webhooks/twilio')
@UseGuards(TwilioSignatureGuard)
export class TwilioInboundController {
  constructor(private readonly receiveMessage: ReceiveMessage) {}

  @Post('inbound')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async inbound(
    @Body(new ContractPipe(inboundRequest)) body: z.infer<typeof inboundRequest>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    await this.receiveMessage.run({
      carrierId: body.MessageSid,
      sender: body.From,
      recipient: body.To,
      service: body.MessagingServiceSid,
      text: body.Body,
      segments: body.NumSegments ?? Math.max(1, segmentsOf(body.Body).segments),
      wish: body.OptOutType,
      origin: requestContextOf(request),
    });
    // Not before it is sure: a refusal is JSON.
    reply.type('text/xml; charset=utf-8');
    return EMPTY_TWIML;
  }
}
