import { z } from 'zod';
import { Postgres } from '../../platform/database/postgres.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { logLines } from '../../testing/log-lines.js';
import { moneyFaults, moneyOf } from '../../testing/money.js';
import { createTestAccount, type TestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { MessageRetention } from '../message-retention.js';
import { expiredInQueueStatement, OtpPayloads } from '../store/otp-payloads.js';
import { Acceptance } from '../send/acceptance.js';
import { DispatchGate } from './dispatch-gate.js';
import { DispatchMessage } from './dispatch-message.js';
import {
  beginPauseStatement,
  DispatchPauses,
  endPauseStatement,
  latestPausesStatement,
  probeCandidateStatement,
  takeProbeStatement,
} from './dispatch-pauses.js';
import { ProbeCarrier } from './probe-carrier.js';

describe('While the carrier refuses our account', () => {
  let bed: TestBed;
  let core: TestCore;
  let other: TestCore;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
  });

  beforeEach(async () => {
    await bed.database.sql('DELETE FROM carrier_pauses');
    await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE status IN ('queued', 'sending')`);
    [core, other] = await Promise.all([createTestCore(bed.config()), createTestCore(bed.config())]);
    account = await createTestAccount(core, { credits: 1_000 });
  });

  afterEach(async () => {
    await Promise.all([core.close(), other.close()]);
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(() => bed?.remove());

  async function accept(kind: 'sms' | 'otp' = 'sms'): Promise<string> {
    const row = acceptanceRow(core, account.apiKey, { kind });
    const decision = await core.get(Acceptance).decide(row);
    expect(decision.kind).toBe('accepted');
    return row.id;
  }

  const rowOf = async (id: string) => (await bed.database.sql('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const statusOf = async (id: string) => (await rowOf(id))?.status;
  const latest = async () => (await core.get(DispatchPauses).latest())[0];
  const makeProbeDue = () => core.get(DispatchPauses).probeSoon();

  /** One message meets the refusal, and dispatch pauses. Its job waits for the end of the pause. */
  async function paused(): Promise<string> {
    const id = await accept();
    core.carrier.next('suspended');
    expect(await core.get(DispatchMessage).dispatch(id)).toEqual({ kind: 'retry', delayMs: 0 });
    return id;
  }

  it('the log names the carrier, and the settings to check', async () => {
    const lines = logLines(core);
    await paused();
    const check = 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN';
    expect(lines).toMatchObject([
      {
        text: 'dispatch paused: the carrier refuses our account',
        data: { carrier: 1, carrierName: 'twilio', check },
      },
    ]);
  });

  it('no message fails: the one that met the refusal is queued, and others are neither claimed nor counted', async () => {
    const first = await paused();
    expect(await rowOf(first)).toMatchObject({ status: 'queued', refunded: 0, error_code: null });
    const [second, days] = [await accept(), () => bed.database.sql('SELECT count FROM daily_counts')];
    const counted = await days();
    // The other worker learns of the pause from its claim.
    const waiting = other.get(DispatchMessage).dispatch(second);
    await eventually('the worker holds the message', async () => (await gaugeOf(other)) === 1);
    expect(await rowOf(second)).toMatchObject({ status: 'queued', attempts: 0, counted_on: null, claimed_at: null });
    expect(await days()).toEqual(counted);
    expect(other.carrier.calls).toEqual([]);
    expect(await latest()).toMatchObject({ httpStatus: 401, carrierError: 20_003, probes: 0, resumedAt: null });

    await makeProbeDue();
    await other.get(ProbeCarrier).run();
    expect(await waiting).toEqual({ kind: 'done' });
    expect(await latest()).toMatchObject({ probes: 1, resumedAt: expect.any(Date) });
    expect(await gaugeOf(other)).toBe(0);
    await other.get(DispatchMessage).dispatch(first);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['sent', 'sent']);
    expect(other.carrier.calls).toHaveLength(2);
  });

  const gaugeOf = async (of: TestCore) => (await of.get(Metrics).dispatchPaused.get()).values[0]?.value;

  it('many messages under way begin one pause', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => accept()));
    core.carrier.next(...ids.map(() => 'suspended' as const));
    for (const id of ids) void core.get(DispatchMessage).dispatch(id);
    await eventually('all that met the refusal are queued again', async () => {
      const statuses = await Promise.all(ids.map(statusOf));
      return core.carrier.calls.length > 0 && statuses.every((status) => status === 'queued');
    });
    expect(await bed.database.sql('SELECT id FROM carrier_pauses')).toHaveLength(1);
  });

  it('one worker probes at each interval, and a refused probe changes nothing', async () => {
    const id = await paused();
    await Promise.all([core.get(ProbeCarrier).run(), other.get(ProbeCarrier).run()]);
    expect(core.carrier.calls).toHaveLength(1);
    await makeProbeDue();
    core.carrier.next('suspended');
    other.carrier.next('suspended');
    await Promise.all([core.get(ProbeCarrier).run(), other.get(ProbeCarrier).run()]);
    expect(core.carrier.calls.length + other.carrier.calls.length).toBe(2);
    expect(await latest()).toMatchObject({ probes: 1, resumedAt: null });
    expect(await rowOf(id)).toMatchObject({ status: 'queued', refunded: 0 });
  });

  it.each(['lost', 'unavailable'] as const)('a probe that ends %s does not resume dispatch', async (step) => {
    await paused();
    await makeProbeDue();
    core.carrier.next(step);
    await core.get(ProbeCarrier).run();
    expect(await latest()).toMatchObject({ probes: 1, resumedAt: null });
  });

  it('a carrier that takes probes and falls silent again is probed ever later, up to a minute', async () => {
    const pauses = core.get(DispatchPauses);
    const secondsUntilProbe = async (httpStatus: number | null = null) => {
      const reason = { carrier: 1, messageId: await accept(), httpStatus, carrierError: null };
      expect(await pauses.begin(reason, 15)).toBe('begun');
      const [pause] = await pauses.latest();
      await pauses.end(1, false);
      return Math.round(((pause?.nextProbeAt.getTime() ?? 0) - (pause?.since.getTime() ?? 0)) / 1_000);
    };
    const waits: number[] = [];
    for (let n = 0; n < 4; n += 1) waits.push(await secondsUntilProbe());
    expect(waits).toEqual([15, 30, 60, 60]);
    expect(await secondsUntilProbe(401)).toBe(15);
    await bed.database.sql(`UPDATE carrier_pauses SET resumed_at = now() - interval '11 minutes'`);
    expect(await secondsUntilProbe()).toBe(15);
  });

  it('a resume that no message has confirmed goes on at the next refusal, probed ever later', async () => {
    const pauses = core.get(DispatchPauses);
    const gate = core.get(DispatchGate);
    const waits: number[] = [];
    let first: Date | undefined;
    for (let n = 0; n < 7; n += 1) {
      const reason = { carrier: 1, messageId: await accept(), httpStatus: 401, carrierError: 20_003 };
      const now = Date.now();
      expect(await pauses.begin(reason, 15)).toBe('begun');
      const pause = await latest();
      first ??= pause?.since;
      expect(pause).toMatchObject({ since: first, probes: n });
      waits.push(Math.round(((pause?.nextProbeAt.getTime() ?? 0) - now) / 15_000));
      await makeProbeDue();
      expect(await pauses.takeProbe(1, 15)).toBe(true);
      await gate.resumeTentatively(1);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 20, 20]);
    expect(await latest()).toMatchObject({ isTentative: true });
    // A message that the carrier takes makes the resume final.
    const id = await accept();
    await core.get(DispatchMessage).dispatch(id);
    expect([await statusOf(id), (await latest())?.isTentative]).toEqual(['sent', false]);
    const reason = { carrier: 1, messageId: await accept(), httpStatus: 401, carrierError: 20_003 };
    await pauses.begin(reason, 15);
    expect(await latest()).toMatchObject({ probes: 0 });
    expect((await latest())?.since).not.toEqual(first);
  });

  it('a probe whose message is refused resumes dispatch: the account is accepted', async () => {
    await paused();
    await makeProbeDue();
    core.carrier.next({ refuse: 21_211 });
    await core.get(ProbeCarrier).run();
    expect(await latest()).toMatchObject({ resumedAt: expect.any(Date) });
  });

  it('without a waiting message the carrier is asked', async () => {
    const id = await paused();
    await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE id = $1`, [id]);
    core.carrier.deaf = true;
    await makeProbeDue();
    await core.get(ProbeCarrier).run();
    expect(await latest()).toMatchObject({ probes: 1, resumedAt: null });
    core.carrier.deaf = false;
    await makeProbeDue();
    await core.get(ProbeCarrier).run();
    expect(await latest()).toMatchObject({ probes: 2, resumedAt: expect.any(Date), isTentative: true });
  });

  it('messages that are not for the carrier do not keep it paused', async () => {
    await paused();
    const [stopped, beyond] = [await accept(), await accept()];
    const live = await accept();
    const resumed = async () => {
      await makeProbeDue();
      await core.get(ProbeCarrier).run();
      return (await latest())?.resumedAt;
    };
    try {
      await bed.database.sql(
        `INSERT INTO opt_outs (recipient, sender)
         SELECT DISTINCT recipient, sender FROM messages WHERE status = 'queued' AND id <> $1`,
        [live],
      );
      await bed.database.sql(`UPDATE messages SET recipient = '+14155550177' WHERE id = $1`, [live]);
      await core.get(DispatchPauses).begin({ carrier: 1, messageId: null, httpStatus: 401, carrierError: null }, 60);
      expect(await resumed()).toEqual(expect.any(Date));
      expect(await statusOf(live)).toBe('sent');
      expect(await statusOf(stopped)).toBe('queued');
      // A full day is found at the claim.
      await bed.database.sql('DELETE FROM opt_outs');
      await bed.database.sql(`UPDATE messages SET status = 'sent' WHERE status = 'queued' AND id <> $1`, [beyond]);
      await bed.database.sql(`UPDATE accounts SET daily_limit = 1 WHERE id = $1`, [account.id]);
      await core.get(DispatchPauses).begin({ carrier: 1, messageId: null, httpStatus: 401, carrierError: null }, 60);
      expect(await resumed()).toEqual(expect.any(Date));
      expect(await rowOf(beyond)).toMatchObject({ status: 'failed', error_code: 'daily_limit' });
    } finally {
      await bed.database.sql('DELETE FROM opt_outs');
    }
  });

  it('the pause outlives the loss of Redis and a restart', async () => {
    await paused();
    await bed.forgetQueue();
    const restarted = await createTestCore(bed.config());
    const id = await accept();
    const waiting = restarted.get(DispatchMessage).dispatch(id);
    await eventually('it is held', async () => (await gaugeOf(restarted)) === 1);
    expect(await statusOf(id)).toBe('queued');
    await restarted.close();
    // A stopping worker releases the message that it holds.
    expect(await waiting).toEqual({ kind: 'held' });
    expect(restarted.carrier.calls).toEqual([]);
  });

  it('a one-time password that expires fails at once and is refunded, unsent', async () => {
    await paused();
    const [expired, useful] = [await accept('otp'), await accept('otp')];
    const payload = { text: 'Your one-time verification code is 123456.' };
    await core.get(Postgres).transaction((tx) =>
      core.get(OtpPayloads).keep(tx, [
        { ...payload, messageId: expired, usefulSeconds: -1 },
        { ...payload, messageId: useful, usefulSeconds: 10 * 60 },
      ]),
    );
    await core.get(ProbeCarrier).run();
    expect(await rowOf(expired)).toMatchObject({
      status: 'failed',
      error_code: 'expired',
      refunded: 1,
      counted_on: null,
    });
    expect(await statusOf(useful)).toBe('queued');
    expect(core.carrier.calls).toHaveLength(1);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ used: 2 });
  });

  it('a message that met the refusal is tried, however many others were accepted meanwhile', async () => {
    await bed.database.sql('DELETE FROM message_checks');
    const first = await paused();
    await bed.database.sql(
      `INSERT INTO message_checks (kind, due_at, message_ids)
       SELECT 'queued', now(), array_agg(gen_random_uuid()) FROM generate_series(1, 1500)`,
    );
    expect(await core.get(DispatchPauses).probeCandidate(1)).toBe(first);
    await bed.database.sql('DELETE FROM message_checks');
  });

  it('a message that is refused three times while others are taken fails alone', async () => {
    const poison = await accept();
    for (let round = 0; round < 3; round += 1) {
      core.carrier.next('suspended');
      await core.get(DispatchMessage).dispatch(poison);
      if (round === 2) break;
      expect(await statusOf(poison)).toBe('queued');
      await bed.database.sql('DELETE FROM message_checks');
      const healthy = await accept();
      await makeProbeDue();
      await core.get(ProbeCarrier).run();
      expect(await statusOf(healthy)).toBe('sent');
    }
    expect(await rowOf(poison)).toMatchObject({
      status: 'failed',
      error_code: 'carrier_refused',
      carrier_error: 20_003,
      refunded: 1,
    });
    expect(await latest()).toMatchObject({ resumedAt: expect.any(Date) });
  });

  it('a message that began earlier pauses does not fail while all are refused', async () => {
    const unlucky = await accept();
    await bed.database.sql(
      `INSERT INTO carrier_pauses (carrier, message_id, http_status, next_probe_at, resumed_at)
       SELECT 1, $1, 401, now(), now() FROM generate_series(1, 2)`,
      [unlucky],
    );
    await bed.database.sql(
      `INSERT INTO carrier_pauses (carrier, message_id, http_status, next_probe_at)
       VALUES (1, gen_random_uuid(), 401, now())`,
    );
    core.carrier.next('suspended');
    await core.get(ProbeCarrier).run();
    expect(core.carrier.calls.map(({ id }) => id)).toEqual([unlucky]);
    expect(await rowOf(unlucky)).toMatchObject({ status: 'queued', refunded: 0 });
  });

  it('a message whose recipient replied STOP in the pause is refunded, unsent', async () => {
    const id = await paused();
    await bed.database.sql(
      'INSERT INTO opt_outs (recipient, sender) SELECT recipient, sender FROM messages WHERE id = $1',
      [id],
    );
    await core.get(DispatchPauses).end(1, false);
    await other.get(DispatchMessage).dispatch(id);
    await bed.database.sql('DELETE FROM opt_outs');
    expect(await rowOf(id)).toMatchObject({ status: 'failed', error_code: 'recipient_opted_out', refunded: 1 });
    expect(other.carrier.calls).toEqual([]);
  });

  it('the time of the pause does not count for giving a message up', async () => {
    const id = await accept();
    await bed.database.sql(`UPDATE messages SET created_at = now() - interval '5 hours' WHERE id = $1`, [id]);
    await paused();
    await core.get(DispatchPauses).end(1, false);
    await core.get(ProbeCarrier).run();
    core.carrier.next('unavailable');
    expect(await core.get(DispatchMessage).dispatch(id)).toMatchObject({ kind: 'retry' });
    expect(await statusOf(id)).toBe('queued');
  });

  it('a code that no column takes begins a pause as well', async () => {
    const reason = { carrier: 1, messageId: await accept(), httpStatus: 401, carrierError: 0xffff_ffff };
    expect(await core.get(DispatchPauses).begin(reason, 60)).toBe('begun');
    expect(await latest()).toMatchObject({ httpStatus: 401, carrierError: null });
  });

  it('the statements return rows of their types, and old pauses are deleted', async () => {
    const id = await accept();
    const postgres = core.get(Postgres);
    const one = z.strictObject({ id: z.number() });
    const begin = async () =>
      z
        .strictObject({ repeated: z.boolean(), begun: z.boolean() })
        .parse((await postgres.query(beginPauseStatement, [id, 401, null, 0, 1]))[0]);
    expect(await begin()).toEqual({ repeated: false, begun: true });
    expect(await begin()).toEqual({ repeated: false, begun: false });
    expect(one.parse((await postgres.query(takeProbeStatement, [1, 60]))[0])).toBeDefined();
    const candidate = z.strictObject({ id: z.uuid() });
    expect(candidate.parse((await postgres.query(probeCandidateStatement, [1, [], [], 1]))[0])).toEqual({ id });
    const pause = z.strictObject({
      carrier: z.literal(1),
      since: z.date(),
      httpStatus: z.int(),
      carrierError: z.int().nullable(),
      probes: z.int(),
      nextProbeAt: z.date(),
      resumedAt: z.date().nullable(),
      isTentative: z.boolean(),
    });
    expect(pause.parse((await postgres.query(latestPausesStatement, []))[0])).toMatchObject({ probes: 1 });
    expect(one.parse((await postgres.query(endPauseStatement, [1, false]))[0])).toBeDefined();
    const code = await accept('otp');
    await postgres.transaction((tx) =>
      core.get(OtpPayloads).keep(tx, [{ messageId: code, text: 'code', usefulSeconds: -1 }]),
    );
    const message = z.strictObject({ id: z.uuid(), kind: z.literal('otp'), body: z.string() });
    expect(message.parse((await postgres.query(expiredInQueueStatement, []))[0])).toMatchObject({ id: code });
    await bed.database.sql(`UPDATE carrier_pauses SET resumed_at = now() - interval '91 days'`);
    await core.get(MessageRetention).run();
    expect(await latest()).toBeUndefined();
  });
});
