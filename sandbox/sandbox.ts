import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { Delivery } from './carriers/delivery.js';
import { Inbound } from './carriers/inbound.js';
import { CARRIERS } from './carriers/message.js';
import { MessageFiles } from './carriers/message-files.js';
import { MediaBook } from './carriers/media.js';
import { MessageJournal } from './carriers/message-journal.js';
import { MessageStore } from './carriers/message-store.js';
import { OptOuts } from './carriers/opt-outs.js';
import { carriersRoutes } from './control/carriers.routes.js';
import { callControlRoutes } from './control/calls.routes.js';
import { controlRoutes } from './control/control.routes.js';
import { numberControlRoutes } from './control/numbers.routes.js';
import { Faults } from './control/faults.js';
import { whatsAppControlRoutes } from './control/whatsapp.routes.js';
import { type Env, readEnv } from './env.js';
import { googleRoutes } from './google/google.routes.js';
import { Grants } from './google/authorization.js';
import { People } from './google/identity.js';
import { HookBook } from './hooks/hook-book.js';
import { hookControlRoutes, hookInRoutes, hookRoutes } from './hooks/hooks.routes.js';
import { EventStream } from './pages/event-stream.js';
import { mailControlRoutes, mailRoutes } from './mail/mail.routes.js';
import { Mailbox } from './mail/mailbox.js';
import { Smtp } from './mail/smtp.js';
import { PageFrame, pagesRoutes } from './pages/pages.js';
import { Poster } from './outgoing.js';
import { MessageAnnouncer, phoneRoutes } from './phone/phone.routes.js';
import { startRoutes } from './pages/start.routes.js';
import { LocalStripe } from './stripe/stripe.js';
import { Smsc } from './smsc/smsc.js';
import { UNDELIVERED_CODE } from './smsc/undelivered.js';
import { NumberOrders } from './telnyx/number-orders.js';
import { TelnyxCallbacks } from './telnyx/telnyx-callbacks.js';
import { TelnyxReplies } from './telnyx/telnyx-replies.js';
import { telnyxMediaRoutes } from './telnyx/telnyx-media.routes.js';
import { telnyxRoutes } from './telnyx/telnyx.routes.js';
import { CallBook } from './twilio/calls/call-book.js';
import { CallCallbacks } from './twilio/calls/call-callbacks.js';
import { CallFlow } from './twilio/calls/call-flow.js';
import { TwilioCallbacks } from './twilio/twilio-callbacks.js';
import { TwilioReplies } from './twilio/twilio-replies.js';
import { keepNumbers } from './carriers/numbers/number-file.js';
import { NumberStore } from './carriers/numbers/number-store.js';
import { twilioRoutes } from './twilio/twilio.routes.js';

/**
 * Settings that differ from the defaults. Without ports the sandbox listens on free ports; without
 * `pagesDir` it has no built pages.
 */
interface SandboxOptions extends Partial<Env> {
  readonly pagesDir?: string;
  /** Receives every error after the start. Default: rethrow as an uncaught exception. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningSandbox {
  /** Base URL of the HTTP services: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** `smtp://127.0.0.1:4025`. */
  readonly smtpUrl: string;
  readonly port: number;
  readonly smtpPort: number;
  /** Null without an SMSC. */
  readonly smppPort: number | null;
  close(): Promise<void>;
}

/**
 * Starts all services in this process. Throws when a port or the data directory cannot be opened.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { pagesDir = '', onError = throwLater, ...settings } = options;
  const env: Env = { ...readEnv({ SANDBOX_PORT: '0' }), ...settings };
  const store = new MessageStore();
  const optOuts = new OptOuts();
  const faults = new Faults();
  const numbers = new NumberStore();
  const orders = new NumberOrders(numbers, env.receiptDelayMs);
  const poster = new Poster();
  const callbacks = {
    twilio: new TwilioCallbacks(env),
    telnyx: new TelnyxCallbacks(env),
    smsc: { undeliveredCode: UNDELIVERED_CODE },
  };
  const media = new MediaBook();
  const files = new MessageFiles(env, media);
  const delivery = new Delivery(store, callbacks, env, poster, files, env.receiptDelayMs);
  const calls = new CallBook();
  const callFlow = new CallFlow(calls, new CallCallbacks(env, poster), env);
  const smsc = new Smsc({ ...env, store, delivery, faults });
  // The host that the product calls; before its first call, the sandbox's own address.
  let apiHost: string | undefined;
  const apiOrigin = () => `http://${apiHost ?? `127.0.0.1:${(app.server.address() as AddressInfo).port}`}`;
  const replies = {
    twilio: new TwilioReplies(env, apiOrigin),
    telnyx: new TelnyxReplies(env, apiOrigin),
    smsc,
  };
  const inbound = new Inbound(store, optOuts, delivery, replies, poster, media, numbers);
  const phoneStream = new EventStream();
  const carrierStream = new EventStream();
  const people = new People();
  const grants = new Grants();
  const frame = new PageFrame(pagesDir);
  const stripe = new LocalStripe(env, faults, frame);
  const hookStream = new EventStream();
  const hooks = new HookBook(hookStream);
  const mailStream = new EventStream();
  const mailbox = new Mailbox(mailStream);
  const smtp = new Smtp({
    takeFault: () => faults.take('mail'),
    takeFaultOf: (recipient) => faults.takeOfRecipient('mail', recipient),
    deliver: (from, to, source) => mailbox.receive(from, to, source),
  });
  const journal = env.dataDir === null ? null : new MessageJournal(env.dataDir, store, optOuts, onError);
  const reset = (): number => {
    faults.clear();
    optOuts.clear();
    orders.clear();
    numbers.clear();
    delivery.clear();
    callFlow.clear();
    calls.clear();
    people.clear();
    grants.clear();
    stripe.clear();
    mailbox.clear();
    hooks.clear();
    media.clear();
    return store.clear();
  };

  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    onError(error);
    return reply.code(500).send({ error: 'Internal error of the sandbox. See its log.' });
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  await app.register(
    twilioRoutes({
      ...env,
      store,
      optOuts,
      delivery,
      faults,
      media,
      numbers,
      calls,
      callFlow,
      onHost: (host) => (apiHost = host),
    }),
    { prefix: '/2010-04-01' },
  );
  await app.register(telnyxRoutes({ ...env, store, optOuts, delivery, faults, numbers, orders }), { prefix: '/v2' });
  await app.register(telnyxMediaRoutes(media, faults));
  await app.register(controlRoutes(store, media, inbound, faults, reset), { prefix: '/_control' });
  await app.register(numberControlRoutes(numbers), { prefix: '/_control' });
  await app.register(whatsAppControlRoutes(store, delivery, inbound), { prefix: '/_control' });
  await app.register(callControlRoutes(calls, callFlow), { prefix: '/_control' });
  const carriers = CARRIERS.filter((carrier) => carrier !== 'smsc' || env.smppPort !== null);
  await app.register(carriersRoutes(store, calls, faults, carrierStream, carriers), { prefix: '/_carriers' });
  await app.register(phoneRoutes({ store, media, calls, stream: phoneStream, productUrl: env.publicProductUrl }), {
    prefix: '/_phone',
  });
  await app.register(
    googleRoutes({
      client: { clientId: env.googleClientId, clientSecret: env.googleClientSecret },
      productOrigins: [env.productUrl, env.publicProductUrl].map((url) => new URL(url).origin),
      people,
      grants,
      faults,
      frame,
    }),
  );
  await stripe.register(app);
  await app.register(mailControlRoutes(mailbox), { prefix: '/_control' });
  await app.register(mailRoutes(mailbox, mailStream), { prefix: '/_mail' });
  await app.register(hookInRoutes(hooks));
  await app.register(hookControlRoutes(hooks), { prefix: '/_control' });
  await app.register(hookRoutes(hooks, hookStream), { prefix: '/_hooks' });
  const count = () => ({
    messages: store.all.length,
    mails: mailbox.list().length,
    sessions: stripe.sessionCount,
    accounts: people.all.length,
    webhooks: hooks.list().length,
  });
  await app.register(startRoutes(frame, env.publicProductUrl, count));
  await app.register(pagesRoutes(pagesDir));

  await journal?.open();
  if (env.dataDir !== null) keepNumbers(env.dataDir, numbers);
  const phoneAnnouncer = new MessageAnnouncer(phoneStream);
  store.watch(phoneAnnouncer);
  const carrierAnnouncer = new MessageAnnouncer(carrierStream);
  store.watch(carrierAnnouncer);
  faults.watch(() => carrierAnnouncer.changed());
  for (const announcer of [phoneAnnouncer, carrierAnnouncer]) calls.watch(() => announcer.changed());
  await app.listen({ port: env.port, host: env.host });
  let smtpPort: number;
  let smppPort: number | null;
  try {
    smtpPort = await smtp.listen(env.smtpPort, env.host);
    smppPort = env.smppPort === null ? null : await smsc.listen(env.smppPort, env.host);
  } catch (error) {
    await Promise.all([app.close(), smtp.close()]);
    throw error;
  }
  delivery.resume();

  const { port } = app.server.address() as AddressInfo;
  const host = env.host.includes(':') ? `[${env.host}]` : env.host;
  return {
    port,
    smtpPort,
    smppPort,
    url: `http://${host}:${port}`,
    smtpUrl: `smtp://${host}:${smtpPort}`,
    close: async () => {
      for (const stream of [phoneStream, carrierStream, mailStream, hookStream]) stream.close();
      faults.clear();
      orders.clear();
      await app.close();
      delivery.close();
      callFlow.clear();
      await Promise.all([poster.close(), files.close(), stripe.close(), smtp.close(), smsc.close()]);
      await journal?.close();
    },
  };
}

function throwLater(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
