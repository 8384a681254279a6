import { createHmac } from 'node:crypto';
import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import type { PlugProduct } from '#contract/plugs.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isProven } from '#core/keys/plug-proof.js';
import { type Plug, Plugs } from '#core/keys/plugs.js';
import { isProductOtpCode } from '#core/rules/otp.js';
import type { ApiRequest } from '../api/api-caller.js';
import { basicOf, bearerOf } from '../http/credentials.js';
import { idempotencyKeyOf } from '../http/input.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { requestContextOf } from '../http/request-hooks.js';
import { UnreadBody } from '../http/unread-body.js';
import { messageOf, type PlugMessage } from './plug-calls.js';

/** Failures after which Supabase shall repeat its call: it does so at once after a 503 with Retry-After. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'idempotency_in_progress']);

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
    private readonly apiKeys: ApiKeys,
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
    const { plug, accountId } = await this.plugOf(product, publicId, request, reply);
    try {
      const { messageId } = await this.send(plug, request);
      await this.plugs.note(accountId, plug.keyId, 'sent');
      return answerOf(plug.settings.product, messageId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.plugs.note(accountId, plug.keyId, error.code);
      return answerTo(plug.settings.product, error);
    }
  }

  /** Throws `not_found`, `rate_limited`, and as {@link ApiKeys.authenticate}. */
  private async plugOf(
    product: string,
    publicId: string,
    request: ApiRequest,
    reply: FastifyReply,
  ): Promise<{ plug: Plug; accountId: string }> {
    const nothing = () =>
      new DomainError('not_found', 'No plug has this address. The dashboard shows it under Connect.');
    const known = this.plugs.keyOf(publicId);
    if (!known) throw nothing();
    const { key, ending } = known;
    const address = request.ip;
    await this.rateLimits.takeKey(key, reply);
    const caller = await this.apiKeys.authenticate(key, address, 'otp').catch((error: unknown) => {
      // A plug for texts has another scope; sending checks it.
      if (error instanceof DomainError && error.code === 'key_scope') return undefined;
      throw error instanceof DomainError && error.code === 'unknown_api_key' ? nothing() : error;
    });
    const { accountId, keyId } = caller ?? (await this.apiKeys.authenticate(key, address, 'send'));
    const plug = keyId === null ? undefined : await this.plugs.find(accountId, keyId);
    if (plug?.settings.product !== product) throw nothing();
    request.caller = { key, address, idempotencyKey: undefined, context: requestContextOf(request) };
    request.keyEnding = ending;
    return { plug, accountId };
  }

  private async send(plug: Plug, request: ApiRequest): Promise<Accepted> {
    const { caller, headers } = request;
    if (!caller) throw new Error('A call of a plug has no caller');
    const bytes = request.body instanceof UnreadBody ? request.body.bytes : Buffer.alloc(0);
    const credential = bearerOf(request) ?? basicOf(request)?.password;
    const { product, org } = plug.settings;
    if (!isProven(product, plug.secrets, { headers, bytes, credential }))
      throw new DomainError('invalid_signature', wrongSecret(plug));
    const body = request.body instanceof UnreadBody ? request.body.read() : undefined;
    const message = messageOf(plug.settings, body);
    const idempotencyKey = idempotencyKeyFor(plug, request, bytes);
    const { key, address, context } = caller;
    if ('text' in message)
      return this.sendMessage.send({ key, address, context, idempotencyKey, reference: undefined, ...message });
    return this.sendCode(message, { key, address, context, idempotencyKey, org: org ?? undefined });
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
 * Supabase repeats a call with another `webhook-id` and the same body, which names the event, so its body is the key:
 * as a keyed hash, because it contains the code. Other products repeat a call with the same id, or not at all.
 */
function idempotencyKeyFor({ settings, secrets }: Plug, request: FastifyRequest, bytes: Buffer): string | undefined {
  const { product } = settings;
  if (product === 'supabase')
    return `supabase-${createHmac('sha256', secrets[0] ?? '')
      .update(bytes)
      .digest('hex')}`;
  const given = request.headers['webhook-id'];
  return typeof given === 'string' && given !== '' ? `webhook-${given}`.slice(0, 200) : idempotencyKeyOf(request);
}

/** Throws the error, except to Supabase, which shows the message of an error only from an answer with status 200. */
function answerTo(product: PlugProduct, error: DomainError): object {
  if (product !== 'supabase' || error.code === 'invalid_signature') throw error;
  if (!passing.has(error.code)) return { error: { http_code: error.status, message: error.detail } };
  throw new DomainError('unavailable', error.detail, { cause: error, retryAfterSeconds: 1 });
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
