import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { wholeNumber } from '#contract/whole-numbers.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { TakeReceipt } from '#core/messages/status/take-receipt.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';
import { callStatusOf } from '#core/providers/twilio/twilio-calls.js';
import { carrierStatus } from '#core/providers/twilio/twilio-mapping.js';
import { filesOfRequest } from '#core/providers/twilio/twilio-media.js';
import { keepableText } from '#core/rules/message-text.js';
import { segmentsOf } from '#core/rules/segments.js';
import { parseInput } from '../http/input.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { fieldsOfBody } from '../http/unread-body.js';

const STATUS_SENDER_CHARACTERS_MAX = 64;
const NUMBER_CHARACTERS_MAX = 256;
const SEGMENTS_MAX = 1_000;

/** Sends no reply (https://www.twilio.com/docs/messaging/twiml). */
const EMPTY_TWIML = '<Response/>';

const wishes = { STOP: 'stop', START: 'start', HELP: 'help' } as const;

const messageSid = z.string().regex(/^[0-9A-Za-z]{1,64}$/);
const text = z.string().transform(keepableText);
const number = text.pipe(z.string().min(1).max(NUMBER_CHARACTERS_MAX));

const messagingServiceSid = z
  .string()
  .regex(/^MG[0-9a-f]{32}$/)
  .optional()
  .catch(undefined);

/**
 * The fields that we use of Twilio's status callback
 * (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). An invalid optional
 * field counts as absent.
 */
const statusCallback = z.object({
  MessageSid: messageSid,
  MessageStatus: z.string(),
  From: z.string().min(1).max(STATUS_SENDER_CHARACTERS_MAX).optional().catch(undefined),
  MessagingServiceSid: messagingServiceSid,
  ErrorCode: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().catch(undefined),
});
/** Our URLs name both; a URL that was set in Twilio's console has neither. */
const statusQuery = z.object({ message_id: z.string().default(''), account_id: z.uuid().optional().catch(undefined) });

/**
 * The fields that we use of a call's status callback
 * (https://www.twilio.com/docs/voice/api/call-resource#statuscallback).
 */
const callCallback = z.object({
  CallSid: messageSid,
  CallStatus: z.string(),
  AnsweredBy: z.string().optional().catch(undefined),
});

/**
 * The fields that we use of Twilio's inbound request
 * (https://www.twilio.com/docs/messaging/guides/webhook-request).
 */
const inboundRequest = z.looseObject({
  MessageSid: messageSid,
  From: number,
  To: number,
  Body: text.default(''),
  NumSegments: wholeNumber(1, SEGMENTS_MAX).optional().catch(undefined),
  MessagingServiceSid: messagingServiceSid,
  OptOutType: z
    .enum(['STOP', 'START', 'HELP'])
    .transform((type) => wishes[type])
    .optional()
    .catch(undefined),
});

/**
 * POST /webhooks/twilio/status and /webhooks/twilio/inbound, and /webhooks/whatsapp/status and /webhooks/voice/status
 * of one-time passwords. After an answer other than 2xx Twilio retries inbound messages.
 */
@Injectable()
export class TwilioCallbacks {
  constructor(
    private readonly takeReceipt: TakeReceipt,
    private readonly receiveReplies: ReceiveReplies,
    private readonly twilioSignature: TwilioSignature,
    private readonly rateLimits: ApiRateLimits,
  ) {}

  /** Adds the routes, which throw `invalid_request` for fields that they cannot use. */
  serve(scope: FastifyInstance): void {
    scope.post('/webhooks/twilio/status', async (request, reply) => {
      await this.status(request);
      return reply.status(204).send();
    });
    scope.post('/webhooks/whatsapp/status', async (request, reply) => {
      await this.status(request, carrierNumbers.whatsapp);
      return reply.status(204).send();
    });
    scope.post('/webhooks/voice/status', async (request, reply) => {
      await this.call(request);
      return reply.status(204).send();
    });
    scope.post('/webhooks/twilio/inbound', async (request, reply) => {
      await this.inbound(request);
      return reply.type('text/xml; charset=utf-8').send(EMPTY_TWIML);
    });
  }

  /** Records a delivery receipt of a text message, or of WhatsApp. */
  private async status(request: FastifyRequest, carrier: number = carrierNumbers.twilio): Promise<void> {
    const body = parseInput(statusCallback, await this.signedFieldsOf(request));
    const query = parseInput(statusQuery, request.query);
    await this.takeReceipt.take({
      carrier,
      messageId: query.message_id,
      accountId: query.account_id,
      carrierId: body.MessageSid,
      status: carrierStatus(body.MessageStatus),
      carrierError: body.ErrorCode ?? null,
      sender: body.MessagingServiceSid === undefined ? undefined : body.From,
      service: body.MessagingServiceSid,
      context: requestContextOf(request),
    });
  }

  /** Records what became of a call. */
  private async call(request: FastifyRequest): Promise<void> {
    const { CallSid, CallStatus, AnsweredBy } = parseInput(callCallback, await this.signedFieldsOf(request));
    const query = parseInput(statusQuery, request.query);
    await this.takeReceipt.take({
      carrier: carrierNumbers.voice,
      messageId: query.message_id,
      accountId: query.account_id,
      carrierId: CallSid,
      ...callStatusOf(CallStatus, AnsweredBy),
      carrierError: null,
      context: requestContextOf(request),
    });
  }

  private async inbound(request: FastifyRequest): Promise<void> {
    const body = parseInput(inboundRequest, await this.signedFieldsOf(request));
    await this.receiveReplies.receive({
      carrier: carrierNumbers.twilio,
      carrierId: body.MessageSid,
      sender: body.From,
      recipient: body.To,
      service: body.MessagingServiceSid,
      text: body.Body,
      segments: body.NumSegments ?? Math.max(1, segmentsOf(body.Body).segments),
      wish: body.OptOutType,
      media: mediaOf(filesOfRequest(body)),
      context: requestContextOf(request),
    });
  }

  /**
   * The fields of a request that Twilio has signed. Throws `invalid_signature`, and `rate_limited`
   * for an address with many wrong signatures.
   */
  private async signedFieldsOf({ headers, url, body, ip }: FastifyRequest): Promise<object> {
    const signature = headers['x-twilio-signature'];
    if (typeof signature === 'string') {
      const fields = fieldsOfBody(body) ?? {};
      if (isObject(fields) && this.twilioSignature.isValid(signature, url, fields)) return fields;
      await this.rateLimits.takeAddress(ip);
    }
    throw new DomainError('invalid_signature', 'The signature does not match. Nothing was stored.');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mediaOf(files: ReturnType<typeof filesOfRequest>) {
  return files.length === 0 ? undefined : { carrier: carrierNumbers.twilio, files };
}
