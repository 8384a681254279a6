import { Body, Controller, Header, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RecordReceipt } from '#core/messages/status/record-receipt.js';
import { carrierStatus } from '#core/providers/twilio/twilio-status.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { requestContextOf } from '../http/request-context.js';
import { TwilioSignatureGuard } from './twilio-signature.guard.js';

/** As large as the column that keeps it. */
const ERROR_CODE_MAX = 2_147_483_647;
const NUMBER_CHARACTERS_MAX = 64;

/** Fields of Twilio's status callback that we use (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). */
const statusCallback = z.object({
  MessageSid: z.string().regex(/^[0-9A-Za-z]{1,64}$/),
  MessageStatus: z.string(),
  From: z.string().min(1).max(NUMBER_CHARACTERS_MAX).optional().catch(undefined),
  MessagingServiceSid: z.string().optional(),
  ErrorCode: z.preprocess((code) => code || undefined, z.coerce.number().int().min(0).max(ERROR_CODE_MAX).optional()),
});
const statusQuery = z.object({ message_id: z.string().default('') });

/** POST /webhooks/twilio/status: delivery receipts. */
@Controller('webhooks/twilio')
@UseGuards(TwilioSignatureGuard)
export class TwilioStatusController {
  constructor(private readonly recordReceipt: RecordReceipt) {}

  @Post('status')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async status(
    @Body(new ContractPipe(statusCallback)) body: z.infer<typeof statusCallback>,
    @Query(new ContractPipe(statusQuery)) query: z.infer<typeof statusQuery>,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.recordReceipt.run({
      messageId: query.message_id,
      carrierId: body.MessageSid,
      status: carrierStatus(body.MessageStatus),
      carrierError: body.ErrorCode ?? null,
      sender: body.MessagingServiceSid === undefined ? undefined : body.From,
      origin: requestContextOf(request),
    });
  }
}
