import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import type { PlugProduct } from '#contract/plug-products.js';
import { isProven } from '#core/keys/plug-proof.js';
import { type Plug, Plugs } from '#core/keys/plugs.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isProductOtpCode } from '#core/rules/otp.js';
import type { ApiRequest } from '../api/api-caller.js';
import { basicOf, bearerOf } from '../http/credentials.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { requestContextOf } from '../http/request-hooks.js';
import { UnreadBody } from '../http/unread-body.js';
import { messageOf, type PlugMessage } from './plug-calls.js';

/** Failures that pass: Supabase repeats its call at once after a 503 with Retry-After. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'idempotency_in_progress']);
const RETRY_AFTER_SECONDS = 1;
const CODE_FORM = `text of ${limits.otpOwnCodeCharactersMin} to ${limits.otpOwnCodeCharactersMax} digits and letters`;

interface Accepted {
  readonly messageId: string;
}

/**
 * POST /hooks/{product}/{plug}: calls of other products, which send codes that they have made, or texts. The answer
 * comes when the message is charged and stored.
 */
@Controller('hooks')
export class HooksController {
  constructor(
    private readonly plugs: Plugs,
    private readonly rateLimits: ApiRateLimits,
    private readonly sendOtp: SendOtp,
    private readonly sendMessage: SendMessage,
  ) {}

  @Post(':product/:plug')
  @HttpCode(200)
  async call(
    @Param('product') product: string,
    @Param('plug') publicId: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const plug = await this.plugs.find(publicId);
    if (plug?.settings.product !== product)
      throw new DomainError('not_found', 'No plug has this address. The dashboard shows it under Connect.');
    try {
      const { messageId } = await this.send(plug, request, reply);
      request.answered = { code: null, subject: messageId };
      await this.plugs.note(plug, 'sent');
      return answerOf(plug.settings.product, messageId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      request.answered = { code: error.code, subject: null };
      await this.plugs.note(plug, error.code);
      return answerTo(plug.settings.product, error, reply);
    }
  }

  /** Throws `invalid_signature`, and only for a call that is proved `rate_limited` and the errors of sending. */
  private async send(plug: Plug, request: ApiRequest, reply: FastifyReply): Promise<Accepted> {
    const { headers, ip: address } = request;
    const bytes = request.body instanceof UnreadBody ? request.body.bytes : Buffer.alloc(0);
    const credential = bearerOf(request) ?? basicOf(request)?.password;
    const { product, org } = plug.settings;
    if (!isProven(product, plug.secrets, { headers, bytes, credential }))
      throw new DomainError('invalid_signature', wrongSecret(plug));
    const { key } = plug;
    const context = requestContextOf(request);
    request.caller = { key, address, idempotencyKey: undefined, context };
    request.keyEnding = plug.ending;
    await this.rateLimits.takeKey(key, reply);
    const message = messageOf(plug.settings, request.body instanceof UnreadBody ? request.body.read() : undefined);
    const same = sameInRepetitions(product, request, bytes);
    const idempotencyKey = same === undefined ? undefined : this.plugs.idempotencyKeyOf(plug, same);
    const by = { key, address, context, idempotencyKey };
    if ('text' in message) return this.sendMessage.send({ ...by, reference: undefined, ...message });
    return this.sendCode(message, { ...by, org: org ?? undefined });
  }

  private async sendCode(
    { to, code }: Extract<PlugMessage, { code: string }>,
    by: Pick<Parameters<SendOtp['send']>[0], 'key' | 'address' | 'context' | 'idempotencyKey' | 'org'>,
  ): Promise<Accepted> {
    if (!isProductOtpCode(code))
      throw new DomainError('code_invalid', `The code is no ${CODE_FORM}. You were not charged.`);
    return this.sendOtp.send({
      ...by,
      to,
      ownCode: code,
      digits: code.length,
      minutes: limits.otpMinutesDefault,
      domain: undefined,
      ip: undefined,
      device: undefined,
      reference: undefined,
    });
  }
}

/**
 * Returns the part of a call that its repetitions share. Supabase repeats a call with another `webhook-id` and the
 * same body, which names the event. A signature of ZITADEL stands for one call. Calls of the other products have an id
 * or are all different.
 */
function sameInRepetitions(
  product: PlugProduct,
  { headers }: Pick<FastifyRequest, 'headers'>,
  bytes: Buffer,
): string | Buffer | undefined {
  if (product === 'supabase') return bytes;
  const id = headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['zitadel-signature'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Throws the error, except to Supabase, which shows the message of an error only from an answer with status 200. */
function answerTo(product: PlugProduct, error: DomainError, reply: FastifyReply): object {
  if (product !== 'supabase' || error.code === 'invalid_signature') throw error;
  if (passing.has(error.code)) reply.status(503).header('Retry-After', String(RETRY_AFTER_SECONDS));
  return { error: { http_code: error.status, message: error.detail } };
}

function wrongSecret({ settings, secrets }: Plug): string {
  if (secrets.length === 0) return 'The plug has no signing key yet: enter it in the dashboard, under Connect.';
  return `The call is not proved by the plug's secret (${settings.product}), or is older than five minutes.`;
}

function answerOf(product: PlugProduct, messageId: string): object {
  if (product === 'supabase') return {};
  if (product === 'sms') return { id: messageId, date: new Date().toISOString() };
  return { success: 'true', message_id: messageId };
}
