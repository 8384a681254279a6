import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { ReceiveReplies } from '#core/inbound/receive-replies.js';
import { namedByStatusUrl } from '#core/carriers/status-callback-url.js';
import { TakeReceipt } from '#core/messages/status/take-receipt.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { carrierCode, carrierStatus, telnyxCost } from '#core/providers/telnyx/telnyx-mapping.js';
import { telnyxMedia } from '#core/providers/telnyx/telnyx-media.js';
import { TelnyxSignature } from '#core/providers/telnyx/telnyx-signature.js';
import { keepableText } from '#core/rules/message-text.js';
import { segmentsOf } from '#core/rules/segments.js';
import { parseInput } from '../http/input.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { UnreadBody } from '../http/unread-body.js';

const NUMBER_CHARACTERS_MAX = 256;
const SEGMENTS_MAX = 1_000;

const wishes = { STOP: 'stop', START: 'start', HELP: 'help' } as const;

const text = z.string().transform(keepableText);
const number = text.pipe(z.string().min(1).max(NUMBER_CHARACTERS_MAX));

/** The fields that we use of `message.sent` and `message.finalized`. */
const receipt = z.object({
  event_type: z.enum(['message.sent', 'message.finalized']),
  payload: z.object({
    id: z.guid(),
    to: z.array(z.object({ status: z.string() })).min(1),
    errors: z
      .array(z.object({ code: z.unknown() }))
      .nullish()
      .catch(undefined),
    webhook_url: z.string().nullish().catch(undefined),
    cost: telnyxCost,
  }),
});

/** The fields that we use of `message.received`. */
const personsMessage = z.object({
  event_type: z.literal('message.received'),
  payload: z.object({
    id: z.guid(),
    from: z.object({ phone_number: number }),
    to: z.array(z.object({ phone_number: number })).min(1),
    text: text.nullish().transform((given) => given ?? ''),
    media: telnyxMedia,
    parts: z.number().int().min(1).max(SEGMENTS_MAX).optional().catch(undefined),
    autoresponse_type: z
      .enum(['STOP', 'START', 'HELP'])
      .transform((type) => wishes[type])
      .optional()
      .catch(undefined),
  }),
});

const ours: readonly string[] = ['message.sent', 'message.finalized', 'message.received'];
const other = z.object({ event_type: z.string().refine((type) => !ours.includes(type)) });

/**
 * Telnyx's events of messages, one in each request
 * (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks).
 */
const callback = z.object({ data: z.union([receipt, personsMessage, other]) });

/**
 * POST /webhooks/telnyx/status, which every message names, and /webhooks/telnyx/inbound, the URL of
 * the messaging profile. Each takes every event, because Telnyx posts a receipt to the profile's
 * URL when the message's own did not answer. Telnyx repeats an event that is not answered with 2xx
 * within two seconds.
 */
@Injectable()
export class TelnyxCallbacks {
  constructor(
    private readonly takeReceipt: TakeReceipt,
    private readonly receiveReplies: ReceiveReplies,
    private readonly telnyxSignature: TelnyxSignature,
    private readonly rateLimits: ApiRateLimits,
  ) {}

  /** Adds the routes, which throw `invalid_request` for an event that they cannot use. */
  serve(scope: FastifyInstance): void {
    for (const name of ['status', 'inbound'])
      scope.post(`/webhooks/telnyx/${name}`, async (request, reply) => {
        await this.checkSignature(request);
        await this.event(request);
        return reply.status(204).send();
      });
  }

  private async event(request: FastifyRequest): Promise<void> {
    const { data } = parseInput(callback, jsonOf(bytesOf(request)));
    if (!('payload' in data)) return;
    await (data.event_type === 'message.received' ? this.receive(data, request) : this.record(data, request));
  }

  /**
   * Throws `invalid_signature` unless Telnyx has signed the request within the last minutes,
   * `rate_limited` for an address with many wrong signatures, and `not_found` where Telnyx is no
   * carrier.
   */
  private async checkSignature(request: FastifyRequest): Promise<void> {
    const { headers, ip, method, url } = request;
    if (!this.telnyxSignature.isConfigured)
      throw new DomainError('not_found', `There is nothing at ${method} ${url.split('?')[0]}.`);
    const [signature, timestamp] = [headers['telnyx-signature-ed25519'], headers['telnyx-timestamp']];
    if (typeof signature === 'string') {
      if (this.telnyxSignature.isValid(signature, String(timestamp), bytesOf(request))) return;
      await this.rateLimits.takeAddress(ip);
    }
    throw new DomainError(
      'invalid_signature',
      'The signature does not match, or is older than five minutes. Nothing was stored.',
    );
  }

  /** Records a delivery receipt. The message is taken from the body, because the URL is not signed. */
  private async record({ event_type, payload }: z.infer<typeof receipt>, request: FastifyRequest): Promise<void> {
    const named = namedByStatusUrl(payload.webhook_url ?? '');
    await this.takeReceipt.take({
      carrier: carrierNumbers.telnyx,
      messageId: named?.messageId ?? '',
      accountId: named?.accountId,
      carrierId: payload.id,
      status: carrierStatus(payload.to[0]?.status ?? ''),
      carrierError: carrierCode(payload.errors?.[0]?.code),
      // The price is final when the message is.
      costMicrousd: event_type === 'message.finalized' ? payload.cost : undefined,
      context: requestContextOf(request),
    });
  }

  private async receive({ payload }: z.infer<typeof personsMessage>, request: FastifyRequest): Promise<void> {
    await this.receiveReplies.receive({
      carrier: carrierNumbers.telnyx,
      carrierId: payload.id,
      sender: payload.from.phone_number,
      recipient: payload.to[0]?.phone_number ?? '',
      service: undefined,
      text: payload.text,
      segments: payload.parts ?? Math.max(1, segmentsOf(payload.text).segments),
      wish: payload.autoresponse_type,
      media: payload.media.length === 0 ? undefined : { carrier: carrierNumbers.telnyx, files: payload.media },
      context: requestContextOf(request),
    });
  }
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return body instanceof UnreadBody ? body.bytes : Buffer.alloc(0);
}

/** Undecodable characters are replaced: refusing them would lose a person's reply. */
function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    throw new DomainError('invalid_request', 'The body is not valid JSON.', { cause });
  }
}
