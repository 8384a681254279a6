import { request, type IncomingMessage } from 'node:http';
import { dashboardEventsPath } from '#contract/dashboard.js';
import { serverUrlOf } from '../processes/environment.js';
import type { Prepared } from './database.js';
import { insertSession, SESSION_COOKIE } from './session.js';

/** A dashboard that is open in a browser, of the first account there is. */
export class WatchingPage {
  /** Events that came, heartbeats and all. */
  events = 0;

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => (this.events += text.split('\n\n').length - 1));
  }

  static async open({ client, place }: Prepared): Promise<WatchingPage> {
    const token = await insertSession(client);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie: `${SESSION_COOKIE}=${token}` };
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
