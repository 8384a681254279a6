import { Body, Catch, Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pasted } from '#contract/characters.js';
import { balance as exampleBalance } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { MessageStatus } from '#contract/messages.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { Credits } from '#core/credits/credits.js';
import { Messages } from '#core/messages/messages.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { Otps } from '#core/otp/otps.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { VerifyOtp } from '#core/otp/verify-otp.js';
import { MessageCallbacks } from '#core/webhooks/callbacks/message-callbacks.js';
import { isDatabaseUnavailable } from '#core/platform/database/database-error.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { INCOMPLETE, textbeltError } from './error-shapes.js';
import type { ApiKey } from '#core/keys/api-key.js';

const OTP_SECONDS_DEFAULT = 180;
const SECONDS_PER_MINUTE = 60;
/** Of the codes that a test key verifies: reserved for examples (nanpa.com, 555 line numbers). */
const TEST_RECIPIENT = '+12025550142';
const { otpMinutesMin, otpMinutesMax, otpDigitsMin, otpDigitsMax, otpDigitsDefault } = limits;

/**
 * Answers every error with status 200 and `success: false`, as Textbelt does; 429 and 5xx keep
 * their status.
 */
@Catch()
class TextbeltErrors implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const failure = error instanceof DomainError ? error : failureOf(error);
    if (failure.status >= 500)
      this.logger.error({ requestId: http.getRequest<FastifyRequest>().id, err: error }, 'request failed');
    if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
    const { status, body } = textbeltError(failure);
    void reply.header('Cache-Control', 'no-store').status(status).send(body);
  }
}

function failureOf(error: unknown): DomainError {
  if (isDatabaseUnavailable(error))
    return new DomainError('unavailable', 'The service is temporarily unavailable. Try again.', { cause: error });
  return new DomainError('internal', 'Something went wrong on our side. You were not charged.', { cause: error });
}

const text = z.string().optional();
/** A JSON body may have a number as a number. */
const number = z.union([z.string(), z.number()]).transform(String).optional();
/** `sender` is accepted: the operator registers names of senders. */
const textFields = z.strictObject({
  phone: number,
  message: text,
  key: text,
  sender: text,
  replyWebhookUrl: text,
  webhookData: text,
});
const generateFields = z.strictObject({ phone: number, userid: number, key: text, lifetime: number, length: number });
const verifyFields = z.strictObject({ otp: text, userid: text, key: text });

type TextbeltStatus = 'SENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'UNKNOWN';
const statuses: Readonly<Record<MessageStatus, TextbeltStatus>> = {
  scheduled: 'SENDING',
  queued: 'SENDING',
  sending: 'SENDING',
  sent: 'SENT',
  delivered: 'DELIVERED',
  undelivered: 'FAILED',
  failed: 'FAILED',
  canceled: 'FAILED',
};

interface Caller {
  readonly key: ApiKey;
  readonly address: string;
  readonly context: RequestContext;
}

/**
 * POST /text, GET /status/{textId}, GET /quota/{key}, POST /otp/generate and GET /otp/verify, as
 * Textbelt's API.
 */
@Controller()
@UseFilters(TextbeltErrors)
export class TextbeltController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
    private readonly sendMessage: SendMessage,
    private readonly messages: Messages,
    private readonly credits: Credits,
    private readonly sendOtp: SendOtp,
    private readonly verifyOtp: VerifyOtp,
    private readonly otps: Otps,
    private readonly callbacks: MessageCallbacks,
  ) {}

  @Post('text')
  @HttpCode(200)
  async send(@Body() body: unknown, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const fields = parsed(textFields, body);
    const { phone, message, key } = fields;
    if (!phone || !message || !key) throw incomplete();
    const url = this.replyUrlOf(fields);
    const caller = await this.admit(key, request, reply);
    const sent = await this.sendMessage.send({
      ...caller,
      to: phone,
      text: message,
      reference: undefined,
      idempotencyKey: undefined,
      callback: url
        ? this.callbacks.prepare({ format: 'textbelt', url, data: fields.webhookData, key: caller.key, keyText: key })
        : undefined,
    });
    return { success: true, textId: sent.messageId, quotaRemaining: quotaOf(sent) };
  }

  /**
   * Needs no key, as with Textbelt: the id cannot be guessed, and the answer is the status alone.
   */
  @Get('status/:textId')
  async status(@Param('textId') textId: string) {
    const status = await this.messages.findForOperator(textId).then(
      (message) => statuses[message.status],
      (error: unknown): TextbeltStatus => {
        if (error instanceof DomainError && error.code === 'message_not_found') return 'UNKNOWN';
        throw error;
      },
    );
    return { success: true, status };
  }

  @Get('quota/:key')
  async quota(
    @Param('key') apiKey: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { key, address } = await this.admit(apiKey, request, reply);
    try {
      const { accountId } = await this.apiKeys.authenticate(key, address, 'read');
      const { balance, frozen } = await this.credits.balanceOf(accountId);
      return { success: true, quotaRemaining: key.test ? exampleBalance.balance : balance - frozen };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unknown_api_key')
        return { success: false, quotaRemaining: 0 };
      throw error;
    }
  }

  /** The answer has no `otp`: only the recipient and `verify` know the code. */
  @Post('otp/generate')
  @HttpCode(200)
  async generate(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { phone, userid, key, lifetime, length } = parsed(generateFields, body);
    if (!phone || !userid || !key) throw incomplete();
    if (userid.length > limits.referenceCharactersMax)
      throw invalid(`userid: at most ${limits.referenceCharactersMax} characters.`);
    const seconds = wholeNumber('lifetime', lifetime, OTP_SECONDS_DEFAULT, {
      min: otpMinutesMin * SECONDS_PER_MINUTE,
      max: otpMinutesMax * SECONDS_PER_MINUTE,
    });
    const digits = wholeNumber('length', length, otpDigitsDefault, { min: otpDigitsMin, max: otpDigitsMax });
    const caller = await this.admit(key, request, reply);
    const sent = await this.sendOtp.send({
      ...caller,
      to: phone,
      org: undefined,
      domain: undefined,
      digits,
      minutes: Math.floor(seconds / SECONDS_PER_MINUTE),
      ip: undefined,
      device: undefined,
      reference: userid,
      idempotencyKey: undefined,
    });
    return { success: true, textId: sent.messageId, quotaRemaining: quotaOf(sent) };
  }

  /** Verifies the newest code of the user. */
  @Get('otp/verify')
  async verify(
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { otp, userid, key: apiKey } = parsed(verifyFields, query);
    if (!otp || !userid || !apiKey) throw incomplete();
    const { key, address } = await this.admit(apiKey, request, reply);
    const { accountId } = await this.apiKeys.authenticate(key, address, 'otp');
    const otpId = key.test ? undefined : await this.otps.newestOf(accountId, userid);
    if (otpId === undefined && !key.test) return { success: true, isValidOtp: false };
    const to = key.test ? TEST_RECIPIENT : undefined;
    const { kind } = await this.verifyOtp.verify({ key, address, otp, otpId, to });
    return { success: true, isValidOtp: kind === 'verified' };
  }

  /** The URL for replies; undefined if there is none. */
  private replyUrlOf({ replyWebhookUrl, webhookData: data = '' }: z.infer<typeof textFields>): string | undefined {
    const url = replyWebhookUrl && pasted(replyWebhookUrl);
    if (data !== '' && !url) throw invalid('webhookData: needs replyWebhookUrl. Nothing was sent.');
    if (data.length > limits.webhookDataCharactersMax)
      throw invalid(`webhookData: at most ${limits.webhookDataCharactersMax} characters.`);
    const fault = url && this.callbacks.urlFault(url);
    if (fault) throw invalid(`replyWebhookUrl: ${fault} Nothing was sent.`);
    return url;
  }

  /** Counts the request against the limits of its key. */
  private async admit(apiKey: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const key = this.apiKeys.parse(apiKey);
    const address = request.ip;
    await this.rateLimits.takeKey(key, reply);
    return { key, address, context: requestContextOf(request) };
  }
}

/** A test key must not reveal the account's balance. */
function quotaOf({ test, balance }: { readonly test: boolean; readonly balance: number }): number {
  return test ? exampleBalance.balance : balance;
}

function incomplete(): DomainError {
  return new DomainError('missing_fields', INCOMPLETE);
}

function invalid(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}

/** Throws an error that names the parameters which are not supported. */
function parsed<T>(schema: z.ZodType<T>, fields: unknown): T {
  const result = schema.safeParse(fields ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw invalid(`Not supported: ${issue.keys.slice(0, 5).join(', ')}. Nothing was sent.`);
  if (!issue?.path.length) throw invalid('The body is neither a JSON object nor a form.');
  throw invalid(`${issue.path.join('.')}: is not valid.`);
}

function wholeNumber(
  name: string,
  given: string | undefined,
  fallback: number,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (given === undefined || given === '') return fallback;
  const value = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw invalid(`${name}: a whole number from ${min} to ${max}.`);
}
