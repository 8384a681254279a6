import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { controlRoutes } from './control/control.routes.js';
import { Faults } from './control/faults.js';
import type { Env } from './env.js';
import { googleRoutes } from './google/google.routes.js';
import { Grants } from './google/grants.js';
import { People } from './google/people.js';
import { PageShell } from './pages/page-shell.js';
import { pagesRoutes } from './pages/pages.routes.js';
import { LiveFeed } from './phone/live-feed.js';
import { phoneRoutes } from './phone/phone.routes.js';
import { CallbackPoster } from './twilio/callback-poster.js';
import { Inbound } from './twilio/inbound.js';
import { MessageJournal } from './twilio/message-journal.js';
import { MessageStore } from './twilio/message-store.js';
import { OptOuts } from './twilio/opt-outs.js';
import { Receipts } from './twilio/receipts.js';
import { twilioRoutes } from './twilio/twilio.routes.js';

/** A sandbox that listens. */
export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts every stand-in on one port. `onError` is told of what goes wrong later on; throws what keeps it from starting. */
export async function startSandbox(
  env: Env,
  pagesDir: string,
  onError: (error: unknown) => void,
): Promise<RunningSandbox> {
  const store = new MessageStore();
  const optOuts = new OptOuts();
  const faults = new Faults();
  const callbacks = new CallbackPoster(env);
  const receipts = new Receipts(store, callbacks, env.receiptDelayMs);
  const inbound = new Inbound(store, optOuts, env);
  const feed = new LiveFeed();
  const people = new People();
  const grants = new Grants();
  const shell = new PageShell(pagesDir);
  const journal = env.dataDir === null ? null : new MessageJournal(env.dataDir, store, optOuts, onError);
  const reset = (): number => {
    faults.clear();
    optOuts.clear();
    receipts.clear();
    people.clear();
    grants.clear();
    return store.clear();
  };

  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    return reply.code(500).send({ error: 'The sandbox itself failed; its log says how.' });
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  await app.register(twilioRoutes({ ...env, store, optOuts, receipts, faults }), { prefix: '/2010-04-01' });
  await app.register(controlRoutes({ store, inbound, callbacks, faults, reset }), { prefix: '/_control' });
  await app.register(phoneRoutes({ store, feed, publicProductUrl: env.publicProductUrl }), { prefix: '/_phone' });
  await app.register(
    googleRoutes({
      client: { clientId: env.googleClientId, clientSecret: env.googleClientSecret },
      productOrigins: [env.productUrl, env.publicProductUrl].map((url) => new URL(url).origin),
      people,
      grants,
      faults,
      shell,
    }),
  );
  await app.register(pagesRoutes(pagesDir));

  await journal?.open();
  store.watch(feed);
  await app.listen({ port: env.port, host: env.host });
  resume(store, receipts);

  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    url: `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`,
    close: async () => {
      feed.close();
      receipts.clear();
      receipts.stop();
      await app.close();
      await Promise.all([callbacks.close(), inbound.close()]);
      await journal?.close();
    },
  };
}

/** Messages that were under way when the sandbox stopped go on their way. */
function resume(store: MessageStore, receipts: Receipts): void {
  for (let index = 0, message = store.all.at(0); message !== undefined; message = store.all.at(++index)) {
    if (message.status === 'queued' || message.status === 'accepted' || message.status === 'sent') {
      receipts.accept(message);
    }
  }
}
