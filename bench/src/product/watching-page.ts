import { createHash, randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { dashboardEventsPath } from '#contract/dashboard-events.js';
import { serverUrlOf } from '../processes/environment.js';
import type { Prepared } from './database.js';

/** A dashboard that is open in a browser, of the first account there is. */
export class WatchingPage {
  /** Events that came, heartbeats and all. */
  events = 0;

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => (this.events += text.split('\n\n').length - 1));
  }

  /** Straight into the table of sessions: nobody signs in to a bench. */
  static async open({ client, place }: Prepared): Promise<WatchingPage> {
    const token = randomBytes(32).toString('base64url');
    const hash = createHash('sha256').update(token).digest();
    await client.query(
      `INSERT INTO sessions (token_hash, account_id, expires_at)
       SELECT $1, id, now() + interval '1 day' FROM accounts ORDER BY email LIMIT 1`,
      [hash],
    );
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie: `pennytext_session=${token}` };
      request(`${serverUrlOf(place)}${dashboardEventsPath}`, { headers, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    if (answer.statusCode !== 200) throw new Error(`The page’s stream was answered with ${answer.statusCode}`);
    return new WatchingPage(answer);
  }

  close(): void {
    this.answer.destroy();
  }
}
