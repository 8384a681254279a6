import { Agent } from 'undici';
import type { CallbackSettings } from './callback-poster.js';
import type { ConnectionOverrides, Failure } from './connection-overrides.js';
import { twilioSignature } from './signature.js';
import { instructionsIn } from './twiml.js';

/** Where the product takes replies. */
export const INBOUND_PATH = '/webhooks/twilio/inbound';

/** For everything, tries again among it, of which one connection may take 5 s (Twilio's page on connection overrides). */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_CHARACTERS_MAX = 65_536;

/** What came of posting a reply: the product's HTTP status, 0 if there was none; what Twilio would log; what to send back. */
export interface InboundOutcome {
  readonly status: number;
  readonly problem: string | null;
  readonly texts: readonly string[];
}

export interface InboundPostSettings extends CallbackSettings {
  readonly inboundOverrides: ConnectionOverrides;
}

/** Posts replies to the product as Twilio does: signed, once, and again only after the failures that its settings name. */
export class InboundPost {
  private readonly agent = new Agent({ connections: 50, connectTimeout: CONNECT_TIMEOUT_MS });

  constructor(private readonly settings: InboundPostSettings) {}

  async send(fields: Readonly<Record<string, string>>): Promise<InboundOutcome> {
    const { retriesMax, retryAfter } = this.settings.inboundOverrides;
    const deadline = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    for (let retries = 0; ; retries++) {
      const { failure, ...outcome } = await this.tryOnce(fields, deadline);
      if (failure === null || retries === retriesMax || !retryAfter.includes(failure) || deadline.aborted)
        return outcome;
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async tryOnce(
    fields: Readonly<Record<string, string>>,
    deadline: AbortSignal,
  ): Promise<InboundOutcome & { readonly failure: Failure | null }> {
    const { readTimeoutMs } = this.settings.inboundOverrides;
    try {
      const outcome = await this.post(fields, AbortSignal.any([deadline, AbortSignal.timeout(readTimeoutMs)]));
      return { ...outcome, failure: failureOf(outcome.status) };
    } catch (error) {
      // The caller and the phone page see that nobody answered: it is the result, 0.
      const problem = `11205: HTTP connection failure: ${reasonOf(error)}`;
      return { status: 0, problem, texts: [], failure: isUnconnected(error) ? 'ct' : 'rt' };
    }
  }

  private async post(fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<InboundOutcome> {
    const { authToken, productUrl, publicProductUrl } = this.settings;
    const target = new URL(productUrl + INBOUND_PATH);
    const {
      statusCode: status,
      headers,
      body,
    } = await this.agent.request({
      origin: target.origin,
      path: target.pathname,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        accept: '*/*',
        'user-agent': 'TwilioProxy/1.1',
        'x-twilio-signature': twilioSignature(authToken, publicProductUrl + INBOUND_PATH, fields),
      },
      body: new URLSearchParams(fields).toString(),
      signal,
    });
    const text = (await body.text()).slice(0, ANSWER_CHARACTERS_MAX);
    if (status < 200 || status > 299) return { status, problem: `11200: HTTP retrieval failure: ${status}`, texts: [] };
    const told = instructionsIn(String(headers['content-type'] ?? ''), text);
    return 'problem' in told
      ? { status, problem: told.problem, texts: [] }
      : { status, problem: null, texts: told.texts };
  }
}

function failureOf(status: number): Failure | null {
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : null;
}

function isUnconnected(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time';
  return error instanceof Error ? error.message || error.name : String(error);
}
