import { createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import type { Secrets } from '../processes/environment.js';
import { serverUrlOf } from '../processes/environment.js';
import type { Prepared } from './database.js';

const connections = 50;
const path = '/webhooks/twilio/inbound';
/** The product's only sender: people reply to it. */
const ourNumber = '+15005550006';

/** Replies, posted and signed as Twilio does it, to accounts that have texted one person each. */
export class Replies {
  private readonly pool: Pool;
  private readonly url: string;

  constructor(
    private readonly prepared: Prepared,
    private readonly secrets: Secrets,
  ) {
    const serverUrl = serverUrlOf(prepared.place);
    this.pool = new Pool(serverUrl, { connections });
    this.url = `${serverUrl}${path}`;
  }

  /** Sets every account's webhook URL, and has each text its person. */
  async prepare(urlOf: (account: number) => string): Promise<void> {
    const { client } = this.prepared;
    const { rows } = await client.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
    const ids = rows.map(({ id }) => id);
    await client.query('INSERT INTO webhook_endpoints (account_id, url) SELECT * FROM unnest($1::uuid[], $2::text[])', [
      ids,
      ids.map((_id, n) => urlOf(n)),
    ]);
    await client.query(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status, claimed_at, sent_at)
       SELECT gen_random_uuid(), id, 1, 'sms', recipient, 'US', $3, 'Are you coming?', 1, 1, 'delivered', now(), now()
       FROM unnest($1::uuid[], $2::text[]) AS n (id, recipient)`,
      [ids, ids.map((_id, n) => personOf(n)), ourNumber],
    );
  }

  /** The person whom the n-th account has texted replies. Answers when it was posted; throws when it was not taken. */
  async post(account: number, text: string): Promise<number> {
    const fields = {
      AccountSid: this.secrets.accountSid,
      Body: text,
      From: personOf(account),
      MessageSid: `SM${randomBytes(16).toString('hex')}`,
      NumSegments: '1',
      To: ourNumber,
    };
    const postedAtMs = Date.now();
    const answer = await this.pool.request({
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signatureOf(this.url, fields, this.secrets.authToken),
      },
      body: new URLSearchParams(fields).toString(),
    });
    const body = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`A reply was answered ${answer.statusCode}: ${body}`);
    return postedAtMs;
  }

  /** How many webhooks have arrived, by the product's own books. */
  async delivered(): Promise<number> {
    const { rows } = await this.prepared.client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return rows[0]?.count ?? 0;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** Numbers reserved for fiction. */
function personOf(account: number): string {
  return `+1202555${String(100 + account).padStart(4, '0')}`;
}

/** https://www.twilio.com/docs/usage/security: the URL, and every field's name and value in the order of names. */
function signatureOf(url: string, fields: Record<string, string>, authToken: string): string {
  const signed = Object.keys(fields)
    .toSorted()
    .reduce((text, name) => `${text}${name}${fields[name] ?? ''}`, url);
  return createHmac('sha1', authToken).update(signed).digest('base64');
}
