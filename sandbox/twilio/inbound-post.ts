import { z } from 'zod';
import { Agent } from 'undici';
import { type CallbackSettings, twilioSignature } from './delivery.js';

const POLICIES = ['4xx', '5xx', 'ct', 'rt'] as const;

/** Why a post failed: the answer's status, no connection (ct), or no answer in time (rt). */
type Failure = (typeof POLICIES)[number];

const policyWords = 'must be all, or some of 4xx, 5xx, ct and rt';
const number = (name: string, min: number, max: number, fallback: number) => {
  const words = `${name} must be from ${min} to ${max}`;
  return z.coerce.number({ error: words }).int(words).min(min, words).max(max, words).default(fallback);
};

/**
 * Twilio's connection overrides, such as `rc=3&rp=5xx,ct` in the fragment of a webhook URL: retries, the failures that are
 * retried, and the read timeout. Default: one retry when no connection could be made.
 */
export const connectionOverrides = z
  .string()
  .transform((text): { rc?: unknown; rt?: unknown; rp?: string | undefined } =>
    Object.fromEntries(new URLSearchParams(text)),
  )
  .pipe(
    z.strictObject({
      rc: number('rc', 0, 5, 1),
      rt: number('rt', 100, 15_000, 15_000),
      rp: z
        .string()
        .default('ct')
        .transform((text) => (text === 'all' ? [...POLICIES] : text.split(',')))
        .pipe(z.array(z.enum(POLICIES, `rp ${policyWords}`))),
    }),
  )
  .transform(({ rc, rt, rp }) => ({ retriesMax: rc, readTimeoutMs: rt, retryAfter: rp }));
type ConnectionOverrides = z.output<typeof connectionOverrides>;

const TWIML_TYPES = ['text/xml', 'application/xml', 'text/html'];
const MESSAGES_MAX = 10;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The instructions in the answer to an inbound message: texts to send back, or the error that Twilio would log. */
type Instructions = { readonly texts: readonly string[] } | { readonly problem: string };

/** Parses an answer: `<Response>` with `<Message>`s, or plain text, which is sent as a message. */
export function instructionsIn(contentType: string, body: string): Instructions {
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  if (body.trim() === '') return { texts: [] };
  if (type === 'text/plain') return { texts: [body.trim()] };
  if (!TWIML_TYPES.includes(type)) return { problem: `12300: Invalid Content-Type: ${type || 'none'}` };
  const document = body
    .replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();
  if (!/^<Response\s*(\/>|>[\s\S]*<\/Response\s*>)$/.test(document))
    return { problem: '12100: Document parse failure' };
  const messages = [...document.matchAll(/<Message(?:\s[^>]*?)?(?:\/>|>([\s\S]*?)<\/Message\s*>)/g)];
  const texts = messages.slice(0, MESSAGES_MAX).map(([, content = '']) => textOf(content));
  return { texts: texts.filter((text) => text !== '') };
}

function textOf(content: string): string {
  const [, body = content] = /<Body\s*>([\s\S]*?)<\/Body\s*>/.exec(content) ?? [];
  return body
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>|<[^>]*>/g, (_tag, literal?: string) => literal?.replaceAll('&', '&amp;') ?? '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      if (name !== undefined) return entities[name] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .trim();
}

/** The product's webhook for replies. */
const INBOUND_PATH = '/webhooks/twilio/inbound';

/** Twilio's bounds: 15 s for all attempts together, 5 s to connect. */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_CHARACTERS_MAX = 65_536;

/** Result of posting a reply: HTTP status (0 without an answer), the error that Twilio would log, and texts to send back. */
interface InboundOutcome {
  readonly status: number;
  readonly problem: string | null;
  readonly texts: readonly string[];
}

interface InboundPostSettings extends CallbackSettings {
  readonly inboundOverrides: ConnectionOverrides;
}

/** Posts signed replies to the product; retries only the failures named in the connection overrides. */
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
      // A missing answer is a result: status 0.
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
