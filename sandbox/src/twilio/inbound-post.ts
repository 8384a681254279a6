import { Agent } from 'undici';
import type { CallbackSettings } from './callback-poster.js';
import { twilioSignature } from './signature.js';
import { instructionsIn } from './twiml.js';

/** Where the product takes replies. */
export const INBOUND_PATH = '/webhooks/twilio/inbound';

/** Twilio's page on error 11205: 15 seconds for everything, of which a connection may take two times 5. */
const ANSWER_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTS_MAX = 2;
const ANSWER_CHARACTERS_MAX = 65_536;

/** What came of posting a reply: the product's HTTP status, 0 if there was none; what Twilio would log; what to send back. */
export interface InboundOutcome {
  readonly status: number;
  readonly problem: string | null;
  readonly texts: readonly string[];
}

/** Posts replies to the product as Twilio does: signed, once; only a connection that could not be made is tried again. */
export class InboundPost {
  private readonly agent = new Agent({ connections: 50, connectTimeout: CONNECT_TIMEOUT_MS });

  constructor(
    private readonly settings: CallbackSettings,
    private readonly answerTimeoutMs = ANSWER_TIMEOUT_MS,
  ) {}

  async send(fields: Readonly<Record<string, string>>): Promise<InboundOutcome> {
    const deadline = AbortSignal.timeout(this.answerTimeoutMs);
    let failure: unknown;
    for (let connects = 0; connects < CONNECTS_MAX; connects++) {
      try {
        return await this.post(fields, deadline);
      } catch (error) {
        failure = error;
        if (!isUnconnected(error)) break;
      }
    }
    // The caller and the phone page see that nobody answered: it is the result, 0.
    return { status: 0, problem: `11205: HTTP connection failure: ${reasonOf(failure)}`, texts: [] };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
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

function isUnconnected(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 15 seconds';
  return error instanceof Error ? error.message || error.name : String(error);
}
