import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { pasted } from '#contract/characters.js';
import { guardState, otpConversion } from '#contract/examples.js';
import { type DeliverabilityQuery, deliverabilityQuery } from '#contract/deliverability.js';
import { limits } from '#contract/limits.js';
import {
  type OtpAnswer,
  type OtpConversionAnswer,
  type OtpGuardAnswer,
  otpQuery,
  type OtpsAnswer,
  type OtpsQuery,
  otpsQuery,
  resendOtpBody,
  type SendOtpAnswer,
  sendOtpBody,
  type SendOtpBody,
  type VerifyOtpAnswer,
  verifyOtpBody,
} from '#contract/otp.js';
import { otpTexts } from '#contract/otp-statuses.js';
import { FraudGuard } from '#core/otp/guard/fraud-guard.js';
import { OtpConversion } from '#core/otp/otp-conversion.js';
import { type OtpFilter, Otps } from '#core/otp/otps.js';
import type { SentOtp } from '#core/otp/accept-otp.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { VerifyOtp, type OtpVerdict } from '#core/otp/verify-otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isOtpOrg, isOwnOtpCode, otpDigitsOf, otpDomainOf, otpMinutesOf } from '#core/rules/otp.js';
import { isNetworkAddress } from '#core/rules/network-addresses.js';
import { wholeNumberOf } from '../http/input.js';
import { Caller, type ApiAccount, type ApiCaller } from './api-caller.js';
import { ApiBody, ApiKeyGuard, ApiQuery, required } from './api-key.guard.js';
import { instantIn, numberIn } from './records.controller.js';
import { acceptedAnswer, hedgeSecondsOf } from './send-sms.controller.js';

const { otpMinutesMin, otpMinutesMax, otpDigitsMin, otpDigitsMax, otpOwnCodeCharactersMin, otpOwnCodeCharactersMax } =
  limits;

/** Returns whether a form writes one field for each channel, `channels[]`, which cannot be read. */
export function hasChannelsOfForm(body: object): boolean {
  return Object.keys(body).some((name) => name.startsWith('channels['));
}

/** Without the refusal, the list of a form would be ignored as an unknown field, and the code would go by SMS. */
const fields = z
  .preprocess(
    (body) => (typeof body === 'object' && body !== null && hasChannelsOfForm(body) ? { ...body, channels: {} } : body),
    sendOtpBody,
  )
  .transform((body) => ({ ...body, ...optionsOf(body) }));

export const sendOtpFields = fields.transform(required('to', 'apikey'));
/** Fields of a quote, whose caller is known already. */
export const quoteOtpFields = fields.transform(required('to'));

export const resendOtpFields = resendOtpBody.transform(required('otp_id', 'apikey'));

export const verifyOtpFields = verifyOtpBody
  .transform((body) => ({ ...body, otp: body.otp && pasted(body.otp) }))
  .transform(required('otp', 'apikey'));

/**
 * POST /api/sendotp, POST /api/resendotp, POST /api/verifyotp, GET /api/otps, GET
 * /api/otps/{otp_id}, GET /api/otp/conversion and GET /api/otp/guard
 */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class OtpController {
  constructor(
    private readonly sendOtp: SendOtp,
    private readonly verifyOtp: VerifyOtp,
    private readonly otps: Otps,
    private readonly conversions: OtpConversion,
    private readonly guard: FraudGuard,
  ) {}

  @Post('sendotp')
  @HttpCode(200)
  @ApiBody(sendOtpFields)
  async send(
    @Caller() { key, address, idempotencyKey, context }: ApiCaller,
    @Body() {
      to,
      from,
      org,
      domain,
      digits,
      ownCode,
      minutes,
      ip,
      device,
      channels,
      maxCredits,
      hedgeSeconds,
      reference,
    }: z.infer<typeof sendOtpFields>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendOtpAnswer> {
    const accepted = await this.sendOtp.send({
      key,
      address,
      context,
      to,
      from,
      org,
      domain,
      digits,
      ownCode,
      minutes,
      ip,
      device,
      channels,
      maxCredits,
      timing: hedgeSeconds === undefined ? undefined : { sendAt: null, validitySeconds: null, hedgeSeconds },
      reference: reference || undefined,
      idempotencyKey,
    });
    return sentAnswer(accepted, reply);
  }

  @Post('resendotp')
  @HttpCode(200)
  @ApiBody(resendOtpFields)
  async resend(
    @Caller() { key, address, idempotencyKey, context }: ApiCaller,
    @Body() { otp_id: otpId, channel }: z.infer<typeof resendOtpFields>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendOtpAnswer> {
    const asked = { otpId, channel: channel ?? undefined };
    return sentAnswer(await this.sendOtp.resend({ key, address, context, idempotencyKey, ...asked }), reply);
  }

  @Get('otp/guard')
  @ApiQuery({ schema: otpQuery, scope: 'otp' })
  async guardState(@Caller() { key, accountId }: ApiAccount): Promise<OtpGuardAnswer> {
    if (key.test) return { ...guardState, test: true };
    return { success: 'true', ...(await this.guard.state(accountId)) };
  }

  @Get('otp/conversion')
  @ApiQuery({ schema: deliverabilityQuery, scope: 'otp' })
  async conversion(
    @Caller() { key, accountId }: ApiAccount,
    @Query() days: DeliverabilityQuery,
  ): Promise<OtpConversionAnswer> {
    if (key.test) return { ...otpConversion, test: true };
    return this.conversions.show(accountId, days);
  }

  @Get('otps')
  @ApiQuery({ schema: otpsQuery, scope: 'otp' })
  async list(@Caller() { key, accountId }: ApiAccount, @Query() query: OtpsQuery): Promise<OtpsAnswer> {
    const filter = filterOf(query);
    if (key.test) return { success: 'true', otps: this.otps.listTest(), next_cursor: null, test: true };
    const { otps, nextCursor } = await this.otps.list(accountId, query.cursor, filter);
    return { success: 'true', otps, next_cursor: nextCursor };
  }

  @Get('otps/:otpId')
  @ApiQuery({ schema: otpQuery, scope: 'otp' })
  async find(@Caller() { key, accountId }: ApiAccount, @Param('otpId') otpId: string): Promise<OtpAnswer> {
    return { success: 'true', ...(key.test ? this.otps.findTest(otpId) : await this.otps.find(accountId, otpId)) };
  }

  /** Answers plain text, or JSON to a caller that prefers it. */
  @Post('verifyotp')
  @HttpCode(200)
  @ApiBody(verifyOtpFields)
  async verify(
    @Caller() { key, address }: ApiCaller,
    @Body() { otp, to, otp_id: otpId }: z.infer<typeof verifyOtpFields>,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | VerifyOtpAnswer> {
    const verdict = await this.verifyOtp.verify({ key, otp, to: to || undefined, otpId: otpId || undefined, address });
    reply.header('Vary', 'Accept');
    if (prefersJson(accept)) return verifyAnswer(verdict);
    reply.type('text/plain; charset=utf-8');
    return otpTexts[verdict.kind];
  }
}

/** Throws `invalid_request`. */
function filterOf({ to, otp_id: otpId, key_id: keyId, since, until, ...rest }: OtpsQuery): OtpFilter {
  return {
    ...rest,
    otpId,
    keyId,
    recipient: to === undefined ? undefined : numberIn('to', to),
    since: since === undefined ? undefined : instantIn('since', since),
    until: until === undefined ? undefined : instantIn('until', until),
  };
}

const ONE_CHANNEL = 'a code of yours goes by one channel, because we do not keep it for another. You were not charged.';

/** Throws `code_invalid`, `invalid_limit`, `invalid_request`. */
function optionsOf({
  org,
  code,
  limit,
  length,
  domain,
  from,
  ip,
  device,
  channels: steps,
  max_credits: max,
  ...route
}: SendOtpBody) {
  const minutes = otpMinutesOf(limit);
  if (minutes === undefined)
    throw new DomainError('invalid_limit', `"limit" is a whole number from ${otpMinutesMin} to ${otpMinutesMax}.`);
  const ownCode = ownCodeOf(code);
  const digits = ownCode?.length ?? otpDigitsOf(length);
  if (digits === undefined)
    throw new DomainError('invalid_request', `length: must be a whole number from ${otpDigitsMin} to ${otpDigitsMax}.`);
  if (org && !isOtpOrg(org)) throw new DomainError('invalid_request', 'org: must be one line of text.');
  const host = domain ? otpDomainOf(domain) : undefined;
  if (domain && host === undefined)
    throw new DomainError('invalid_request', 'domain: must be a host name, such as example.com.');
  if (ip && !isNetworkAddress(ip))
    throw new DomainError('invalid_request', 'ip: must be an IPv4 or IPv6 address, such as 203.0.113.7.');
  const channels = steps ?? undefined;
  if (ownCode !== undefined && channels !== undefined && channels.length > 1)
    throw new DomainError('invalid_request', `channels: ${ONE_CHANNEL}`);
  const hedgeSeconds = hedgeSecondsOf(route, 'fast');
  const maxCredits = wholeNumberOf('max_credits', max, { min: 1, max: limits.maxCreditsMax });
  const ways = { channels, maxCredits, hedgeSeconds };
  const endUser = { ip: ip || undefined, device: device || undefined };
  const named = { org: org || undefined, from: from ? pasted(from) : undefined };
  return { ...named, domain: host, digits, ownCode, minutes, ...endUser, ...ways };
}

/** Throws `code_invalid`, also for an empty text: a program that lost its code must not get one of ours sent. */
function ownCodeOf(code: SendOtpBody['code']): string | undefined {
  if (code === undefined || code === null) return undefined;
  if (typeof code === 'string' && isOwnOtpCode(code)) return code;
  const form =
    typeof code === 'string'
      ? `${otpOwnCodeCharactersMin} to ${otpOwnCodeCharactersMax} digits and capital letters without I, L and O`
      : 'a text: a number loses its leading zeros';
  throw new DomainError('code_invalid', `"code" must be ${form}. You were not charged.`);
}

function sentAnswer(sent: SentOtp, reply: FastifyReply): SendOtpAnswer {
  const { otpId, expiresAt, nextResendAt, attemptsLeft, isManaged, progress } = sent;
  return {
    ...acceptedAnswer(sent, reply),
    otp_id: otpId,
    expires_at: expiresAt.toISOString(),
    next_resend_at: nextResendAt?.toISOString() ?? null,
    attempts_left: attemptsLeft,
    ...(!isManaged && { managed: false }),
    ...(progress && {
      channel: progress.channel,
      next_channel: progress.next?.channel ?? null,
      next_channel_at: progress.next?.at.toISOString() ?? null,
      credits_max: progress.creditsMax,
    }),
  };
}

function verifyAnswer({ kind, verified, expiresAt, attemptsLeft }: OtpVerdict): VerifyOtpAnswer {
  return {
    status: kind,
    ...(verified && { to: verified.recipient, ...(verified.otpId !== undefined && { otp_id: verified.otpId }) }),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(attemptsLeft !== undefined && { attempts_left: attemptsLeft }),
  };
}

/**
 * Returns whether an Accept header names JSON with more weight than plain text, the default (RFC
 * 9110, section 12.5.1). Wildcards name neither.
 */
export function prefersJson(accept: string | undefined): boolean {
  return weightOf('application/json', accept) > weightOf('text/plain', accept);
}

function weightOf(type: string, accept = ''): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0;
  }
  return 0;
}
