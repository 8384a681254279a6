import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { Acceptance } from '#core/messages/send/acceptance.js';
import { MessageQueues } from '#core/messages/store/message-queues.js';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import { bindNumberOf } from '#core/platform/config/smpp-binds.js';
import { DispatchQueue } from '#core/platform/queue/queues.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { octetsField, numberField } from '#core/providers/smpp/smpp-pdus.js';
import { type PeerRequest, SmppPeer } from '#core/providers/smpp/testing/smpp-peer.js';
import { acceptanceRow } from '#core/testing/acceptance-rows.js';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { texted } from '#core/testing/texted.js';
import { createTestCore, type TestCore } from '#core/testing/test-core.js';
import { WorkerModule } from './worker.module.js';

const SENDER = '+15005550077';
const PHONE = '+14155552671';
const ACME = bindNumberOf('acme');

describe('Workers with an SMPP bind', () => {
  let bed: TestBed;
  let core: TestCore;
  let peer: SmppPeer;
  let binds: string;
  let workers: NestFastifyApplication[];
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  beforeEach(async () => {
    peer = new SmppPeer();
    const port = await peer.listen();
    const url = `smpp://127.0.0.1:${port}`;
    binds = JSON.stringify([
      { name: 'acme', url, system_id: 'me', password: 'secret', senders: [SENDER], throttle_seconds: 1 },
    ]);
    workers = [];
    account = await createTestAccount(core, { credits: 1_000, dailyLimit: 10_000 });
    await bed.database.sql('DELETE FROM smpp_binds');
    await bed.database.sql('DELETE FROM smpp_segments');
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await peer.close();
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  async function start(changes: Record<string, string> = {}): Promise<NestFastifyApplication> {
    const config = bed.config({ SMPP_BINDS: binds, RECOVERY_INTERVAL_MS: '200', ...changes });
    const options = { logger: false } as const;
    const module = WorkerModule.of(config, Logger.silent());
    const worker = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options);
    await worker.init();
    await worker.getHttpAdapter().getInstance().ready();
    workers.push(worker);
    return worker;
  }
  const stop = async (worker: NestFastifyApplication) => {
    workers = workers.filter((one) => one !== worker);
    await worker.close();
  };
  const stateOf = async (worker: NestFastifyApplication) =>
    (await worker.inject({ url: '/readyz' })).json<{ binds?: Record<string, string> }>().binds?.['acme'];
  const bound = (worker: NestFastifyApplication) =>
    eventually('the bind', async () => (await stateOf(worker)) === 'bound', 20_000);
  const startBound = async () => {
    const worker = await start();
    await bound(worker);
    return worker;
  };

  /** Accepts messages as the server does. */
  async function accept(count: number, body = 'Hello', segments = 1, recipient = PHONE): Promise<string[]> {
    const rows = Array.from({ length: count }, () =>
      acceptanceRow(core, account.apiKey, { sender: SENDER, recipient, body, segments, price: segments }),
    );
    await Promise.all(rows.map((row) => core.get(Acceptance).decide(row)));
    await Promise.all(
      rows.map(({ id }) => core.get(DispatchQueue).enqueued({ id, accountId: account.id, kind: 'sms' })),
    );
    return rows.map(({ id }) => id);
  }
  const rowOf = async (id: string | undefined) =>
    (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const countIn = async (status: string) =>
    (await bed.database.sql('SELECT FROM messages WHERE account_id = $1 AND status = $2', [account.id, status])).length;
  const becomes = (status: string, count = 1) =>
    eventually(`${count} ${status}`, async () => (await countIn(status)) === count, 20_000);
  /** The peer's receipt of a segment, on its latest connection. */
  const receipt = (id: string, fields: Record<string, string | number> = {}, sequence = 900) =>
    peer.sessions.at(-1)?.send('deliver_sm', sequence, {
      esm_class: 4,
      source_addr: PHONE.slice(1),
      destination_addr: SENDER.slice(1),
      short_message: Buffer.from(`id:${id} sub:001 dlvrd:001 stat:DELIVRD err:000 text:`),
      ...fields,
    });
  const isAnswered = (sequence: number) =>
    peer.responses.some((pdu) => pdu.command === 'deliver_sm_resp' && pdu.sequence === sequence && pdu.status === 0);

  it('hand its messages over, and take their receipts', async () => {
    await startBound();
    const [id] = await accept(1);
    await becomes('sent');
    expect(await rowOf(id)).toMatchObject({ status: 'sent', carrier: ACME, carrier_id: '1', attempts: 1 });
    receipt('1');
    await becomes('delivered');
    await eventually('the answer', async () => isAnswered(900));
    expect(await bed.database.sql('SELECT FROM smpp_segments')).toEqual([]);
  });

  it('hand over what the server has put into the queue of the bind, and not what waits in the shared one', async () => {
    const worker = await startBound();
    const shared = worker.get(QueueControl);
    await shared.pause('dispatch');
    await shared.resume('dispatch-acme');
    try {
      const row = acceptanceRow(core, account.apiKey, { sender: SENDER, recipient: PHONE });
      await core.get(Acceptance).decide(row);
      const { id } = row;
      await worker.get(MessageQueues).enqueued({ id, accountId: account.id, kind: 'sms' }, SENDER);
      await becomes('sent');
      expect(await rowOf(id)).toMatchObject({ carrier: ACME, attempts: 1 });
    } finally {
      await shared.resume('dispatch');
    }
  });

  it('end a message with a status that no column takes, and no other message waits for it', async () => {
    peer.handlers['submit_sm'] = ({ answer, pdu }: PeerRequest) =>
      peer.submits.length % 2 === 0 ? answer({ message_id: `m${pdu.sequence}` }) : answer({}, 0xffff_ffff);
    await startBound();
    await accept(20);
    await Promise.all([becomes('failed', 10), becomes('sent', 10)]);
    const failed = `SELECT DISTINCT carrier_error, error_code, refunded, attempts FROM messages
      WHERE account_id = $1 AND status = 'failed'`;
    expect(await bed.database.sql(failed, [account.id])).toEqual([
      { carrier_error: null, error_code: 'carrier_refused', refunded: 1, attempts: 1 },
    ]);
    expect(peer.submits).toHaveLength(20);
  });

  it('end a message of several segments when all are final', async () => {
    await startBound();
    await accept(1, 'a'.repeat(400), 3);
    await becomes('sent');
    for (const [at, segment] of ['1', '3'].entries()) receipt(segment, {}, 900 + at);
    await eventually('both answers', async () => isAnswered(900) && isAnswered(901));
    expect(await countIn('delivered')).toBe(0);
    receipt('2', {}, 902);
    await becomes('delivered');
  });

  it('find the message of a receipt after a restart', async () => {
    const first = await startBound();
    const [id] = await accept(1);
    await becomes('sent');
    await stop(first);
    await startBound();
    receipt('1');
    await becomes('delivered');
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', carrier_id: '1' });
  });

  it('hold it one at a time: a clean stop hands it over at once, with nothing lost or doubled', async () => {
    const first = await startBound();
    const second = await start();
    expect(await stateOf(second)).toBe('elsewhere');
    await accept(100);
    await becomes('sent', 100);
    await accept(100);
    const before = performance.now();
    await stop(first);
    await bound(second);
    expect(performance.now() - before).toBeLessThan(6_000);
    await becomes('sent', 200);
    expect(peer.submits).toHaveLength(200);
    expect(new Set(peer.submits.map(({ session }) => session)).size).toBeLessThanOrEqual(2);
  });

  it('never submit a message again whose response was lost, and end it by the receipt’s reference', async () => {
    peer.handlers['submit_sm'] = ({ session }) => void session.socket.destroy();
    const worker = await startBound();
    const [id = ''] = await accept(1);
    await eventually('the submit', async () => peer.submits.length === 1);
    await bound(worker);
    // Recovery would look it up, if it could.
    await bed.database.sql(`UPDATE messages SET claimed_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)`, [id]);
    await pause(1_000);
    expect(await rowOf(id)).toMatchObject({ status: 'sending', attempts: 1 });
    const reference = parseInt(id.slice(-4), 16);
    receipt('77', { user_message_reference: (reference + 1) % 65_536 }, 900);
    await eventually('the answer', async () => isAnswered(900));
    expect(await rowOf(id)).toMatchObject({ status: 'sending' });
    receipt('78', { user_message_reference: reference }, 901);
    await becomes('delivered');
    expect(await rowOf(id)).toMatchObject({ carrier_id: '78' });
    expect(peer.submits).toHaveLength(1);
  });

  it('let its messages wait while there is no bind, and send them afterwards', async () => {
    let isRefusing = true;
    peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, isRefusing ? 5 : 0);
    const worker = await start();
    await eventually('the bind is tried', async () => peer.requests.length > 0);
    await accept(20);
    await pause(500);
    expect([await countIn('queued'), await stateOf(worker)]).toEqual([20, 'unbound']);
    isRefusing = false;
    await becomes('sent', 20);
    expect(peer.submits).toHaveLength(20);
    expect(await bed.database.sql('SELECT max(attempts) FROM messages WHERE account_id = $1', [account.id])).toEqual([
      { max: 1 },
    ]);
  });

  it('rest for as long as the peer throttles, with the other messages unclaimed', async () => {
    let throttledAt = 0;
    const after: number[] = [];
    peer.handlers['submit_sm'] = ({ answer, pdu }: PeerRequest) => {
      if (peer.submits.length === 1) {
        throttledAt = performance.now();
        return answer({}, 0x58);
      }
      after.push(performance.now() - throttledAt);
      return answer({ message_id: `t${pdu.sequence}` });
    };
    await startBound();
    await accept(1);
    await eventually('the first', async () => peer.submits.length === 1);
    await accept(10);
    await becomes('sent', 11);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(990);
    // A few were under way already.
    const [claims] = await bed.database.sql('SELECT sum(attempts)::int AS count FROM messages WHERE account_id = $1', [
      account.id,
    ]);
    expect(claims?.['count']).toBeLessThan(20);
  });

  it('forward replies, which the peer repeats until they are stored', async () => {
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    await startBound();
    const person = '+14155550123';
    await accept(1, 'Hello', 1, person);
    await becomes('sent');
    peer.sessions.at(-1)?.send('deliver_sm', 500, {
      source_addr: person.slice(1),
      destination_addr: SENDER.slice(1),
      short_message: Buffer.from('Yes please'),
    });
    await eventually('the answer', async () => isAnswered(500));
    expect(await bed.database.sql('SELECT sender, recipient, body FROM inbound_messages')).toEqual([
      { sender: person, recipient: SENDER, body: 'Yes please' },
    ]);
  });

  it('acknowledge and drop what the peer sends to numbers of other carriers, opt-out words too', async () => {
    await core.get(WebhookEndpoints).setUrl(account.id, 'https://example.com/sms');
    const worker = await startBound();
    const person = '+14155550124';
    await texted(core, bed.database, account, { recipient: person });
    const fields = { source_addr: person.slice(1), destination_addr: '15005550006' };
    const texts = ['Yes please', 'STOP'];
    for (const [at, text] of texts.entries())
      peer.sessions.at(-1)?.send('deliver_sm', 600 + at, { ...fields, short_message: Buffer.from(text) });
    await eventually('both answers', async () => isAnswered(600) && isAnswered(601));
    const stored = 'SELECT FROM inbound_messages WHERE sender = $1';
    const optOuts = 'SELECT FROM opt_outs WHERE recipient = $1';
    expect([await bed.database.sql(stored, [person]), await bed.database.sql(optOuts, [person])]).toEqual([[], []]);
    const metrics = await worker.get(Metrics).foreignReplies.get();
    expect(metrics.values).toMatchObject([{ labels: { carrier: 'acme' }, value: 2 }]);
  });

  it('write long texts so that the peer reads one text', async () => {
    await startBound();
    await accept(1, 'ä'.repeat(200), 2);
    await becomes('sent');
    const texts = peer.submits.map(({ pdu }) => octetsField(pdu, 'short_message'));
    expect(texts.map((octets) => octets.subarray(3, 6).toJSON().data.slice(1))).toEqual([
      [2, 1],
      [2, 2],
    ]);
    expect(peer.submits.map(({ pdu }) => numberField(pdu, 'esm_class'))).toEqual([0x40, 0x40]);
  });
});
