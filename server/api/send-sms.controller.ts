import { Body, Controller, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { pasted } from '#contract/characters.js';
import { balance as exampleBalance } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import { type Delivery, sendSmsBody, type SendSmsAnswer, type SendSmsBody } from '#contract/messages.js';
import { numberOfDigits } from '#contract/whole-numbers.js';
import type { MessageMediaOptions } from '#core/messages/send/price-message.js';
import type { AcceptedMessage } from '#core/messages/send/accepted-message.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import type { SendOptions } from '#core/messages/send/send-options.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { parseInstant } from '#core/rules/time.js';
import { wholeNumberOf } from '../http/input.js';
import { Caller, type ApiCaller } from './api-caller.js';
import { ApiBody, ApiKeyGuard, required } from './api-key.guard.js';

const fields = sendSmsBody.transform((body) => {
  const files = mediaOf(body);
  // A message with files needs no text.
  return { ...body, message: files ? (body.message ?? '') : body.message, options: optionsOf(body), files };
});
type Fields = z.infer<typeof fields>;

const requiredWithFiles = {
  quote: required('to'),
  send: required('to', 'apikey'),
} as const;
/** Fields of a quote, whose caller is known already. */
export const quoteSmsFields = fields.transform((body: Fields) =>
  withText(body.files ? requiredWithFiles.quote(body) : required('to', 'message')(body)),
);
export const sendSmsFields = fields.transform((body: Fields) =>
  withText(body.files ? requiredWithFiles.send(body) : required('to', 'message', 'apikey')(body)),
);

function withText<F extends Fields>(body: F): F & { readonly message: string } {
  return { ...body, message: body.message ?? '' };
}

/** POST /api/sendsms */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class SendSmsController {
  constructor(private readonly sendMessage: SendMessage) {}

  @Post('sendsms')
  @HttpCode(200)
  @ApiBody(sendSmsFields)
  async send(
    @Caller() { key, address, idempotencyKey, context }: ApiCaller,
    @Body() { to, message: text, reference, options, files: media }: z.infer<typeof sendSmsFields>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendSmsAnswer> {
    const accepted = await this.sendMessage.send({
      key,
      address,
      context,
      to,
      text,
      options,
      media,
      reference: reference || undefined,
      idempotencyKey,
    });
    const isOtherText = options.encoding === 'smart' || (media !== undefined && accepted.body !== text);
    return { ...acceptedAnswer(accepted, reply), ...(isOtherText && { message: accepted.body }) };
  }
}

const { validitySecondsMin, validitySecondsMax } = limits;

type OptionFields = Partial<
  Pick<
    SendSmsBody,
    'from' | 'encoding' | 'quote' | 'max_credits' | 'dedupe' | 'send_at' | 'validity' | 'delivery' | 'hedge_seconds'
  >
>;

type MediaFields = Partial<Pick<SendSmsBody, 'media' | 'media_fallback' | 'transcode'>>;

/** Returns the file options of a message; undefined without files. */
export function mediaOf({ media, media_fallback, transcode }: MediaFields): MessageMediaOptions | undefined {
  if (!media || media.length === 0) return undefined;
  return { references: media, fallback: media_fallback ?? 'refuse', transcode: String(transcode ?? true) === 'true' };
}

/**
 * The options without their defaults. Throws `invalid_request`, `invalid_send_at`,
 * `invalid_validity`.
 */
export function optionsOf({
  from,
  encoding,
  quote,
  max_credits,
  dedupe,
  send_at: sendAt,
  validity,
  ...route
}: OptionFields): SendOptions {
  const hedgeSeconds = hedgeSecondsOf(route, 'once');
  const maxCredits = wholeNumberOf('max_credits', max_credits, { min: 1, max: limits.maxCreditsMax });
  const dedupeSeconds = wholeNumberOf('dedupe', dedupe, { min: 1, max: limits.dedupeSecondsMax });
  return {
    ...(from && { from: pasted(from) }),
    ...(encoding && encoding !== 'auto' && { encoding }),
    ...(quote && { quote }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(dedupeSeconds !== undefined && { dedupeSeconds }),
    ...(hedgeSeconds !== undefined && { hedgeSeconds }),
    ...(sendAt && { sendAt: instantOf(sendAt) }),
    ...(validity !== undefined && validity !== null && validity !== '' && { validitySeconds: validityOf(validity) }),
  };
}

/**
 * Seconds until another route is tried, as the caller chose; undefined if the caller chose nothing. Throws
 * `invalid_request`.
 */
export function hedgeSecondsOf(
  { delivery, hedge_seconds }: Pick<OptionFields, 'delivery' | 'hedge_seconds'>,
  fallback: Delivery,
): number | undefined {
  const range = { min: limits.hedgeSecondsMin, max: limits.hedgeSecondsMax };
  const seconds = wholeNumberOf('hedge_seconds', hedge_seconds, range);
  const isFast = (delivery ?? fallback) === 'fast';
  if (seconds !== undefined && !isFast) {
    throw new DomainError('invalid_request', '"hedge_seconds" is for "delivery": "fast". You were not charged.');
  }
  if (seconds === undefined && !delivery) return undefined;
  return isFast ? (seconds ?? limits.hedgeSecondsDefault) : 0;
}

function instantOf(text: string): Date {
  const at = parseInstant(text);
  if (at) return at;
  const detail = '"send_at" is a date and time with an offset (RFC 3339), YYYY-MM-DDThh:mm:ss-05:00.';
  throw new DomainError('invalid_send_at', detail);
}

function validityOf(given: number | string): number {
  const seconds = typeof given === 'string' ? numberOfDigits(given) : given;
  if (Number.isInteger(seconds) && seconds >= validitySecondsMin && seconds <= validitySecondsMax) return seconds;
  const range = `from ${validitySecondsMin} to ${validitySecondsMax.toLocaleString('en-US')}`;
  throw new DomainError('invalid_validity', `"validity" is a whole number of seconds ${range}.`);
}

/**
 * The answer for an accepted message of any kind. A header marks the repeated answer of an
 * idempotent request.
 */
export function acceptedAnswer(accepted: AcceptedMessage, reply: FastifyReply): SendSmsAnswer {
  const {
    messageId,
    segments,
    credits,
    encoding,
    balance,
    reference,
    sendAt,
    repliesUnavailable,
    delivery,
    files,
    test,
    replayed,
  } = accepted;
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return {
    success: 'true',
    message_id: messageId,
    segments,
    credits,
    encoding,
    // A test key must not reveal the account's balance.
    balance: test ? exampleBalance.balance : balance,
    ...(reference !== undefined && { reference }),
    ...(sendAt && { status: 'scheduled' as const, send_at: sendAt.toISOString() }),
    ...(repliesUnavailable && { replies: 'unavailable' as const }),
    ...(delivery && { delivery }),
    ...(files && { kind: 'mms' as const, media: [...files] }),
    ...(accepted.deduplicated && { deduplicated: true as const }),
    ...(test && { test: true as const }),
  };
}
