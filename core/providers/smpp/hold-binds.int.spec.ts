import { z } from 'zod';
import { ReceiveReplies } from '../../inbound/receive-replies.js';
import { DispatchGate } from '../../messages/dispatch/dispatch-gate.js';
import { DispatchPauses } from '../../messages/dispatch/dispatch-pauses.js';
import { ProbeCarrier } from '../../messages/dispatch/probe-carrier.js';
import { ConversationOwner } from '../../messages/senders/conversation-owner.js';
import { Carriers } from '../../carriers/carrier.js';
import { RecordReceipt } from '../../messages/status/record-receipt.js';
import type { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { eventually } from '../../testing/eventually.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { HoldBinds, takeLeaseStatement } from './hold-binds.js';
import { SmppCarrier } from './smpp-bind.js';
import { BindReplies } from './smpp-replies.js';
import { SubmittedSegments } from './submitted-segments.js';
import { SmppPeer } from './testing/smpp-peer.js';

const message = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: 'ACME',
  body: 'Hello',
};

/** A worker: its core, its binds and the carriers whose jobs it runs. */
interface TestWorker {
  readonly core: TestCore;
  readonly holdBinds: HoldBinds;
  readonly carrier: SmppCarrier;
  readonly running: Set<number>;
}

describe('HoldBinds', () => {
  let bed: TestBed;
  let config: Config;
  let peer: SmppPeer;
  let workers: TestWorker[];

  beforeAll(async () => {
    bed = await createTestBed();
  });
  beforeEach(async () => {
    await bed.database.sql('DELETE FROM smpp_binds');
    await bed.database.sql('DELETE FROM carrier_pauses');
    await bed.database.sql('DELETE FROM smpp_segments');
    await bed.database.sql('DELETE FROM smpp_submits');
    peer = new SmppPeer();
    const url = `smpp://127.0.0.1:${await peer.listen()}`;
    const bind = { name: 'acme', url, system_id: 'me', password: 'secret', senders: ['ACME'] };
    config = bed.config({ SMPP_BINDS: JSON.stringify([bind]) });
    workers = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map(({ holdBinds }) => holdBinds.stop()));
    await Promise.all(workers.map(({ core }) => core.close()));
    await peer.close();
  });
  afterAll(() => bed?.remove());

  async function start(): Promise<TestWorker> {
    const [settings] = config.smpp;
    if (!settings) throw new Error('There is no bind');
    const carrier = new SmppCarrier(settings);
    const core = await createTestCore(config, [carrier]);
    const holdBinds = new HoldBinds(
      core.get(Carriers),
      core.get(Postgres),
      core.get(RecordReceipt),
      new BindReplies(
        core.get(ReceiveReplies),
        core.get(ConversationOwner),
        core.get(Postgres),
        core.get(Telemetry).logger,
      ),
      core.get(DispatchPauses),
      config,
      core.get(Telemetry),
    );
    const running = new Set<number>();
    const worker = { core, holdBinds, carrier, running };
    workers.push(worker);
    const jobs = {
      run: (number: number) => void running.add(number),
      rest: (number: number) => void running.delete(number),
    };
    await holdBinds.start(jobs, { reconnect: { waitMs: () => 50, jitter: [1, 1] } });
    return worker;
  }
  const state = ({ holdBinds }: TestWorker) => holdBinds.states()['acme'];
  const bound = (worker: TestWorker) =>
    eventually('the bind', async () => state(worker) === 'bound' && worker.carrier.isHere, 20_000);
  const rows = () => bed.database.sql('SELECT name, holder, unbound_since FROM smpp_binds');
  const binds = () => peer.requests.filter(({ pdu }) => pdu.command === 'bind_transceiver');

  it('has one of two workers bind, which alone hands messages over and runs the jobs', async () => {
    const [first, second] = [await start(), await start()];
    await bound(first);
    expect([state(second), second.carrier.isHere, second.running.size]).toEqual(['elsewhere', false, 0]);
    expect(first.running).toEqual(new Set([first.carrier.number]));
    expect(await first.carrier.send(message)).toMatchObject({ kind: 'accepted' });
    expect(await second.carrier.send(message)).toMatchObject({ kind: 'unavailable' });
    await expect(second.carrier.check()).rejects.toThrow('does not hold the bind');
    expect(binds()).toHaveLength(1);
  });

  it('has another worker take over within 15 s when one is cut off, whose bind ended before its lease', async () => {
    const [first, second] = [await start(), await start()];
    await bound(first);
    const at = performance.now();
    // The first worker's database is gone, so it can neither renew the lease nor give it back.
    jest.spyOn(first.core.get(Postgres), 'query').mockRejectedValue(new Error('The database cannot be reached'));
    const left = 'SELECT extract(epoch FROM held_until - clock_timestamp())::float8 * 1000 AS ms FROM smpp_binds';
    const [lease] = await bed.database.sql<{ ms: number }>(left);
    const endsAtMs = performance.now() + (lease?.ms ?? 0);
    const leftMs = new Promise<number>((resolve) => {
      peer.handlers['unbind'] = ({ answer }) => {
        resolve(endsAtMs - performance.now());
        answer();
      };
    });
    await bound(second);
    expect(performance.now() - at).toBeLessThan(15_000);
    expect(await leftMs).toBeGreaterThan(700);
    expect([state(first), first.running.size]).toEqual(['elsewhere', 0]);
    expect(second.running.size).toBe(1);
    jest.restoreAllMocks();
  }, 60_000);

  it('gives the lease back at once when it stops', async () => {
    const first = await start();
    await bound(first);
    await first.holdBinds.stop();
    expect(await rows()).toMatchObject([{ name: 'acme', holder: null }]);
    const second = await start();
    await eventually('the bind', async () => state(second) === 'bound', 3_000);
  });

  it('stores what waits for a receipt when it stops, and settles what a crashed worker has left', async () => {
    const worker = await start();
    await bound(worker);
    expect(await worker.carrier.send(message)).toEqual({ kind: 'accepted', carrierId: '1' });
    const [noted, stored] = ['SELECT FROM smpp_submits', 'SELECT FROM smpp_segments'];
    await worker.holdBinds.tendSegments();
    expect([await bed.database.sql(noted), await bed.database.sql(stored)]).toEqual([[{}], []]);
    await worker.holdBinds.stop();
    expect([await bed.database.sql(noted), await bed.database.sql(stored)]).toEqual([[], [{}]]);
    // An earlier release stores a segment and leaves the note.
    await bed.database.sql(
      'INSERT INTO smpp_submits (carrier, message_id) SELECT carrier, message_id FROM smpp_segments',
    );
    const next = await start();
    await bound(next);
    await next.holdBinds.tendSegments();
    expect(await bed.database.sql(noted)).toEqual([]);
  });

  it('has no bind before what a crashed worker has left is settled', async () => {
    const settle = jest.spyOn(SubmittedSegments.prototype, 'settleLatest');
    const bindsThen: number[] = [];
    settle.mockImplementation(async () => {
      bindsThen.push(binds().length);
      if (bindsThen.length === 1) throw new Error('The database cannot be reached');
    });
    await bound(await start());
    expect(bindsThen).toEqual([0, 0]);
    jest.restoreAllMocks();
  });

  it('tries again, one bind at a time, while the peer calls it already bound', async () => {
    let refusals = 4;
    peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, refusals-- > 0 ? 5 : 0);
    const [first, second] = [await start(), await start()];
    await bound(first);
    expect(binds()).toHaveLength(5);
    expect(state(second)).toBe('elsewhere');
  });

  it('runs no jobs while the bind is lost', async () => {
    const worker = await start();
    await bound(worker);
    peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, 5);
    peer.sessions[0]?.socket.destroy();
    await eventually('the loss', async () => state(worker) === 'unbound');
    expect([worker.carrier.isHere, worker.running.size]).toEqual([false, 0]);
    peer.handlers = {};
    await bound(worker);
    expect(worker.running.size).toBe(1);
  });

  it('pauses the carrier without a bind for 30 s, whichever workers have tried, until a probe succeeds', async () => {
    peer.handlers['bind_transceiver'] = ({ answer }) => answer({}, 5);
    const first = await start();
    await eventually('the attempt', async () => binds().length > 0);
    await first.holdBinds.stop();
    await bed.database.sql(`UPDATE smpp_binds SET unbound_since = now() - interval '29 seconds'`);
    const second = await start();
    const pauses = () => second.core.get(DispatchPauses).latest();
    await eventually('the pause', async () => (await pauses()).length === 1);
    expect(await pauses()).toMatchObject([{ carrier: second.carrier.number, httpStatus: null, resumedAt: null }]);
    // The worker has no bind, so it does not take the turn to probe.
    await second.core.get(DispatchPauses).probeSoon();
    await second.core.get(ProbeCarrier).run();
    expect(await pauses()).toMatchObject([{ probes: 0, resumedAt: null }]);
    expect(second.core.get(DispatchGate).isPausedAlone(second.carrier.number)).toBe(true);
    peer.handlers = {};
    await bound(second);
    await second.core.get(ProbeCarrier).run();
    expect(await pauses()).toMatchObject([{ probes: 1, resumedAt: expect.any(Date) }]);
    await eventually('the row', async () => (await rows())[0]?.['unbound_since'] === null);
  });

  it('has no pause when a worker starts after a long time, and the peer takes its bind', async () => {
    const first = await start();
    await bound(first);
    await first.holdBinds.stop();
    await bed.database.sql(`UPDATE smpp_binds SET unbound_since = now() - interval '1 hour'`);
    const second = await start();
    await bound(second);
    await eventually('the row', async () => (await rows())[0]?.['unbound_since'] === null);
    expect(await second.core.get(DispatchPauses).latest()).toEqual([]);
  });

  it('refuses to start with the number of a bind that was removed, and names variable and fix', async () => {
    const [settings] = config.smpp;
    await bed.database.sql(`INSERT INTO smpp_binds (carrier, name, held_until) VALUES ($1, 'earlier', now())`, [
      settings?.number,
    ]);
    await expect(start()).rejects.toThrow(
      'SMPP_BINDS: the bind acme has the same number as earlier, which messages were handed to before: give it another',
    );
    expect(peer.sessions).toEqual([]);
  });

  it('reads the row that its statement declares', async () => {
    const values = [10, 'beta', 'me', false];
    const found = await bed.database.sql(takeLeaseStatement.text, values);
    expect(z.array(z.strictObject({ isDown: z.boolean() })).parse(found)).toEqual([{ isDown: false }]);
    expect(await bed.database.sql(takeLeaseStatement.text, [10, 'beta', 'other', false])).toEqual([]);
  });
});
