import { Agent } from 'undici';
import type { CallbackSettings } from './callback-poster.js';
import type { Message } from './message.js';
import type { MessageStore } from './message-store.js';
import type { OptOuts } from './opt-outs.js';
import { segmentCount } from './segments.js';
import { newMessageSid } from './sid.js';
import { twilioSignature } from './signature.js';

/** Where the product takes replies. */
export const INBOUND_PATH = '/webhooks/twilio/inbound';

const ANSWER_TIMEOUT_MS = 15_000;
const POSTS_MAX = 2;

/** Carries replies from phones to the product. */
export class Inbound {
  private readonly agent = new Agent({
    connections: 50,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: 5_000,
  });

  constructor(
    private readonly store: MessageStore,
    private readonly optOuts: OptOuts,
    private readonly settings: CallbackSettings,
    private readonly now: () => number = Date.now,
  ) {}

  /** Keeps a reply, posts it signed, and gives it back with `productStatus` set: 0 if the product could not be reached. */
  async receive(from: string, to: string, body: string): Promise<Message> {
    const message = this.store.add({
      sid: newMessageSid(),
      direction: 'inbound',
      from,
      to,
      body,
      segments: segmentCount(body),
      messagingServiceSid: null,
      statusCallback: null,
      callbackPlan: 'never',
      fate: 'received',
      createdAtMs: this.now(),
      status: 'received',
    });
    this.optOuts.hear(from, to, body);
    const productStatus = await this.post(this.fields(message));
    this.store.change(message, { productStatus, updatedAtMs: this.now() });
    return message;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async post(fields: Record<string, string>): Promise<number> {
    const { authToken, productUrl, publicProductUrl } = this.settings;
    let status = 0;
    for (let posts = 0; posts < POSTS_MAX; posts++) {
      try {
        const answer = await this.agent.request({
          origin: new URL(productUrl).origin,
          path: new URL(productUrl + INBOUND_PATH).pathname,
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
            'user-agent': 'TwilioProxy/1.1',
            'x-twilio-signature': twilioSignature(authToken, publicProductUrl + INBOUND_PATH, fields),
          },
          body: new URLSearchParams(fields).toString(),
        });
        await answer.body.dump();
        status = answer.statusCode;
      } catch {
        // The caller and the phone page see that nobody answered: it is the result, 0.
        return 0;
      }
      if (status < 500) return status;
    }
    return status;
  }

  private fields(message: Message): Record<string, string> {
    return {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      Body: message.body,
      From: message.from,
      FromCity: '',
      FromCountry: countryOf(message.from),
      FromState: '',
      FromZip: '',
      MessageSid: message.sid,
      NumMedia: '0',
      NumSegments: String(message.segments),
      SmsMessageSid: message.sid,
      SmsSid: message.sid,
      SmsStatus: 'received',
      To: message.to,
      ToCity: '',
      ToCountry: countryOf(message.to),
      ToState: '',
      ToZip: '',
    };
  }
}

// Enough for the countries people try here; Twilio itself leaves the field empty where it does not know.
const countries: readonly (readonly [string, string])[] = [
  ['+1', 'US'],
  ['+31', 'NL'],
  ['+33', 'FR'],
  ['+34', 'ES'],
  ['+351', 'PT'],
  ['+353', 'IE'],
  ['+352', 'LU'],
  ['+39', 'IT'],
  ['+44', 'GB'],
  ['+45', 'DK'],
  ['+48', 'PL'],
  ['+49', 'DE'],
  ['+61', 'AU'],
  ['+66', 'TH'],
  ['+91', 'IN'],
];

function countryOf(number: string): string {
  return countries.find(([prefix]) => number.startsWith(prefix))?.[1] ?? '';
}
