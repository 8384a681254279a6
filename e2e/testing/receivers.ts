import { expect } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../tools/testkit/ports.js';
import { Program } from '../../tools/testkit/program.js';
import { test } from './product.js';
import { canRun, filledSample, interpreters, writeSample } from './samples.js';
import { until } from '../../tools/testkit/until.js';

const SECRET = 'YOUR_WEBHOOK_SECRET';
const PORT = '8080';
const TOO_OLD_MS = 6 * 60_000;

/** Commands that start the receivers of each language. */
const receivers = {
  nodejs: (path: string) => [path],
  python: (path: string) => [path],
  php: (path: string, port: string) => ['-S', `127.0.0.1:${port}`, path],
} as const;

const reply = {
  MessageId: `SM${'0'.repeat(32)}`,
  Sender: '+12025550142',
  Message: 'Ja, gerne 😀',
  Status: 'Received',
  DateTime: '3/5/2026, 12:24:07 PM',
};

/** The receivers' samples take signed webhooks, and refuse all others. */
export function receiverTests(): void {
  for (const language of Object.keys(receivers) as (keyof typeof receivers)[]) {
    test(`the ${language} receiver takes a signed reply and refuses forged and old ones`, async () => {
      test.skip(!canRun(language), `${language} is not on this machine`);
      const port = String(await freePort());
      const secret = `whsec_${randomBytes(24).toString('base64')}`;
      const { file, command } = interpreters[language];
      const text = filledSample('receive-replies', file, [
        [SECRET, secret],
        ...(language === 'php' ? [] : [[PORT, port] as const]),
      ]);
      const path = writeSample(test.info().outputPath('samples', 'receive-replies'), file, text);
      const receiver = new Program({
        name: `${language} receiver`,
        command,
        args: receivers[language](path, port),
        logFile: test.info().outputPath('receiver.log'),
      });
      const post = poster(`http://127.0.0.1:${port}/`, new Webhook(secret));
      try {
        await until('the receiver answers', () => post({}).catch(() => undefined), { timeoutMs: 60_000 });
        expect(await post({})).toBe(200);
        expect(await post({ earlier: `v1,${randomBytes(32).toString('base64')} ` })).toBe(200);
        expect(await post({ body: `${JSON.stringify(reply)} ` })).toBe(401);
        expect(await post({ by: new Webhook(randomBytes(24).toString('base64')) })).toBe(401);
        expect(await post({ at: new Date(Date.now() - TOO_OLD_MS) })).toBe(401);
        expect(await post({ at: new Date(Date.now() + TOO_OLD_MS) })).toBe(401);
      } finally {
        await receiver.stop('SIGKILL');
      }
    });
  }
}

interface Call {
  /** Body that is sent in place of the signed body. */
  readonly body?: string;
  readonly at?: Date;
  readonly by?: Webhook;
  /** A signature before the right signature. */
  readonly earlier?: string;
}

function poster(url: string, owner: Webhook) {
  return async ({ body = JSON.stringify(reply), at = new Date(), by = owner, earlier = '' }: Call): Promise<number> => {
    const id = 'msg_1';
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': `${earlier}${by.sign(id, at, JSON.stringify(reply))}`,
      },
      body,
    });
    return answer.status;
  };
}
