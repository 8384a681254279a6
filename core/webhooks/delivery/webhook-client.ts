import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Agent, type Dispatcher } from 'undici';
import { Config } from '../../platform/config/config.js';
import { Encryption } from '../../platform/crypto/encryption.js';
import { guardedConnector, type GuardedOptions, reasonOf } from '../../platform/network/guarded-connector.js';
import { webhookUrlFault } from '../../rules/network-addresses.js';
import { publicWebhookId } from '../../rules/ids.js';
import {
  calledUrl,
  openedSecret,
  textbeltHeaders,
  twilioParameters,
  twilioSignature,
} from '../callbacks/callback-formats.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import type { ClaimedDelivery } from './attempts.repository.js';

/**
 * The time that a receiver has to answer, from the start of the call to the last byte: fixed by the
 * product's decisions.
 */
export const CALL_TIMEOUT_MS = 10_000;
const HEADER_BYTES_MAX = 16_384;
/** The connection is closed after this much of an answer. */
const ANSWER_BYTES_MAX = 16_384;
const ANSWER_CHARACTERS_MAX = 1_000;
const CONNECTIONS_PER_HOST_MAX = 128;
/**
 * Shorter than the idle time of common servers, so that no server closes a connection under a call.
 */
const IDLE_MS = 4_000;
const IDLE_MS_MAX = 60_000;

/**
 * `answered`: a complete answer of any status. `failed`: no answer; `reason` is fit for the
 * endpoint's owner.
 */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

interface SignedParts {
  readonly webhookId: string;
  readonly body: string;
  readonly at: Date;
  /** `whsec_…`; two secrets during a rotation: the receiver accepts a signature of either. */
  readonly secrets: readonly string[];
}

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs webhooks and posts them to the receiver. */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly http: GuardedClient;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly encryption: Encryption,
    private readonly config: Config,
  ) {
    this.http = new GuardedClient({ allowPrivate: config.webhooks.allowPrivate, timeoutMs: CALL_TIMEOUT_MS });
  }

  /**
   * Posts the delivery once, signed at `at`. Network failures and late answers are outcomes, not
   * errors.
   */
  async post(delivery: ClaimedDelivery, at: Date): Promise<PostOutcome> {
    const { url, headers, body } = await this.callOf(delivery, at);
    const fixed = {
      'user-agent': `Pennytext-Webhooks (+${this.config.http.publicUrl})`,
      accept: '*/*',
      'accept-encoding': 'identity',
    };
    return this.http.post(url, { ...fixed, ...headers }, body);
  }

  /** Returns URL, body and headers of a call in the delivery's format. */
  private async callOf(
    { id, accountId, format, url: stored, body, secrets }: ClaimedDelivery,
    at: Date,
  ): Promise<Call> {
    const webhookId = publicWebhookId(id);
    const json = { 'content-type': 'application/json; charset=utf-8' };
    if (format === 'standard') {
      const signed = { webhookId, body, at, secrets: await this.secrets.of(accountId, secrets) };
      return { url: stored, body, headers: { ...json, ...signatureHeaders(signed) } };
    }
    if (!secrets.current) throw new Error('A callback has no key to sign with');
    const url = calledUrl(stored);
    const { key, headers: authorization } = openedSecret(this.encryption.decrypt(secrets.current));
    if (format === 'textbelt')
      return { url, body, headers: { ...json, ...authorization, ...textbeltHeaders(key, body, at) } };
    const parameters = twilioParameters(accountId, body);
    const headers = {
      ...authorization,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': twilioSignature(key, url, parameters),
      'i-twilio-idempotency-token': webhookId,
    };
    return { url, body: new URLSearchParams(parameters).toString(), headers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}

/**
 * The headers of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export function signatureHeaders({ webhookId, body, at, secrets }: SignedParts): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(webhookId, at, body)).join(' '),
  };
}

/**
 * Posts to URLs that customers chose, and protects against server-side request forgery: http and
 * https on safe ports, public addresses only, bounded time and size, no cookies. Does not follow
 * redirects: their status is the answer.
 */
export class GuardedClient {
  private readonly agent: Agent;

  constructor(private readonly options: GuardedOptions) {
    this.agent = new Agent({
      connect: guardedConnector(options),
      connections: CONNECTIONS_PER_HOST_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      // One timer bounds the whole call, see below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Never throws. */
  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostOutcome> {
    // The rules may have changed since the URL was set.
    const fault = webhookUrlFault(url, this.options);
    if (fault) return { kind: 'failed', reason: fault };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.options.timeoutMs);
    try {
      const answer = await this.agent.request({ ...target(url), method: 'POST', headers, body, signal: late.signal });
      const text = await startOf(answer.body);
      return { kind: 'answered', status: answer.statusCode, retryAfter: single(answer.headers['retry-after']), text };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error, { isLate: late.signal.aborted, ...this.options }) };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function target(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** Reads the first characters of an answer. Replaces NUL, which a Postgres text cannot hold. */
async function startOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (text.length < 2 * ANSWER_CHARACTERS_MAX) text += decoder.decode(chunk, { stream: true });
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  const whole = text + decoder.decode();
  return [...whole.replaceAll('\u0000', '\ufffd')].slice(0, ANSWER_CHARACTERS_MAX).join('');
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
