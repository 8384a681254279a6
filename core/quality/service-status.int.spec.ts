import { statusAnswer } from '#contract/public-figures.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { secondCarrier, withSecondCarrier } from '../testing/second-carrier.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import {
  answerOf,
  carrierAnswersStatement,
  countStatement,
  type ComponentRow,
  type DayRow,
  daysStatement,
  ServiceStatus,
  statesStatement,
} from './service-status.js';

describe('ServiceStatus', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ SMTP_URL: 'smtp://127.0.0.1:9' }));
  });

  beforeEach(() =>
    bed.database.sql('TRUNCATE component_states, status_incidents, carrier_pauses, component_days, server_presence'),
  );

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  /** Measures as if a minute had passed since the last measurement. */
  const measure = async () => {
    await bed.database.sql(
      `UPDATE component_states SET measured_at = measured_at - interval '1 minute',
        candidate_at = candidate_at - interval '1 minute'`,
    );
    await core.get(ServiceStatus).measure();
  };
  const pause = () =>
    bed.database.sql(
      `INSERT INTO carrier_pauses (carrier, message_id, http_status, next_probe_at)
       VALUES (1, gen_random_uuid(), 401, now())`,
    );
  const resume = () => bed.database.sql('UPDATE carrier_pauses SET resumed_at = now()');
  const states = () => bed.database.sql<ComponentRow>(statesStatement.text);
  const sending = async () => (await states()).find(({ component }) => component === 'sending')?.state;
  const incidents = () =>
    bed.database.sql(
      `SELECT component, state, ended_at IS NOT NULL AS ended, started_at < now() AS past
        FROM status_incidents ORDER BY id`,
    );

  it('opens an incident at the second bad measurement and closes it at the second good one', async () => {
    await measure();
    expect(Object.fromEntries((await states()).map(({ component, state }) => [component, state]))).toEqual({
      sending: 'operational',
      webhooks: 'operational',
      email: 'operational',
    });
    await pause();
    await measure();
    expect([await sending(), await incidents()]).toEqual(['operational', []]);
    await measure();
    const open = { component: 'sending', state: 'outage', ended: false, past: true };
    expect([await sending(), await incidents()]).toEqual(['outage', [open]]);
    await resume();
    await measure();
    expect([await sending(), await incidents()]).toEqual(['outage', [open]]);
    await measure();
    expect([await sending(), await incidents()]).toEqual(['operational', [{ ...open, ended: true }]]);
    const shown = statusAnswer.parse(await core.get(ServiceStatus).shown());
    expect(shown.components.map(({ state }) => state)).toEqual(Array(4).fill('operational'));
    expect(shown.incidents).toMatchObject([{ component: 'sending', state: 'outage' }]);
  });

  it('of several carriers is degraded while a country has no healthy route', async () => {
    const several = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
    const state = async () => {
      for (let n = 0; n < 2; n += 1) {
        await bed.database.sql(`UPDATE component_states SET measured_at = measured_at - interval '1 minute'`);
        await several.get(ServiceStatus).measure();
      }
      return sending();
    };
    try {
      await bed.database.sql(
        `INSERT INTO routes (country, carrier, resting_weight, weight) VALUES ('US', 1, 90, 90), ('US', 2, 10, 10)`,
      );
      await bed.database.sql(`INSERT INTO route_health VALUES ('US', 1, 20, 20, 0, 0, NULL, NULL, now())`);
      expect(await state()).toBe('operational');
      await bed.database.sql(`INSERT INTO route_health VALUES ('US', 2, 20, 20, 0, 0, NULL, NULL, now())`);
      expect(await state()).toBe('degraded');
      await bed.database.sql(`UPDATE route_health SET measured_at = now() - interval '6 minutes' WHERE carrier = 2`);
      expect(await state()).toBe('operational');
      await bed.database.sql(`UPDATE routes SET active = false`);
      expect(await state()).toBe('degraded');
      // Customers may not send to Austria.
      await bed.database.sql(`UPDATE routes SET country = 'AT'`);
      expect(await state()).toBe('operational');
    } finally {
      await several.close();
      await bed.database.sql('DELETE FROM routes');
    }
  });

  it('a single bad measurement is none', async () => {
    await measure();
    await pause();
    await measure();
    await resume();
    await measure();
    await pause();
    await measure();
    expect([await sending(), await incidents()]).toEqual(['operational', []]);
  });

  it('an incident keeps its worst state', async () => {
    await measure();
    const age = (minutes: number) =>
      bed.database.sql(
        `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, created_at, due_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'message.sent', gen_random_uuid()::text, '{}',
           now() - make_interval(mins => $1), now())`,
        [minutes],
      );
    await age(10);
    await measure();
    await measure();
    expect(await incidents()).toMatchObject([{ component: 'webhooks', state: 'degraded', ended: false }]);
    await age(90);
    await measure();
    await measure();
    expect(await incidents()).toMatchObject([{ component: 'webhooks', state: 'outage', ended: false }]);
    await bed.database.sql('DELETE FROM webhook_deliveries');
    await measure();
    await measure();
    expect(await incidents()).toMatchObject([{ component: 'webhooks', state: 'outage', ended: true }]);
  });

  it('sending is out while the carrier answers about no message, and not for one lost answer', async () => {
    await bed.database.sql(`DELETE FROM message_checks`);
    const account = await createTestAccount(core, { credits: 100 });
    const accept = async () => {
      const row = acceptanceRow(core, account.apiKey);
      await core.get(Acceptance).decide(row);
      return row.id;
    };
    const set = (id: string, status: string, minutesAgo: number) =>
      bed.database.sql(
        `UPDATE messages SET status = $2, attempts = 1, claimed_at = now() - make_interval(mins => $3) WHERE id = $1`,
        [id, status, minutesAgo],
      );
    const lost = await accept();
    await set(lost, 'sending', 1);
    await measure();
    expect(await sending()).toBe('operational');
    await set(lost, 'sending', 5);
    await measure();
    await measure();
    expect(await sending()).toBe('degraded');
    // The other checks are due some minutes later.
    await set(lost, 'sending', 20);
    await bed.database.sql(`UPDATE message_checks SET kind = 'claimed', due_at = now() + interval '9 minutes'`);
    await measure();
    await measure();
    expect(await sending()).toBe('outage');
    await set(await accept(), 'sent', 2);
    await measure();
    await measure();
    expect(await sending()).toBe('operational');
    const [carrier] = await bed.database.sql(carrierAnswersStatement.text, [30]);
    expect(carrier).toEqual({ unanswered: 1, oldestSeconds: expect.any(Number), answersNewer: true });
    await set(lost, 'sent', 20);
    expect(await bed.database.sql(carrierAnswersStatement.text, [30])).toEqual([
      { unanswered: 0, oldestSeconds: 0, answersNewer: false },
    ]);
  });

  it('is measured once a minute by all workers together', async () => {
    await pause();
    await Promise.all([1, 2, 3].map(() => core.get(ServiceStatus).measure()));
    await core.get(ServiceStatus).measure();
    expect(await incidents()).toHaveLength(1);
    const [first] = await states();
    await core.get(ServiceStatus).measure();
    expect((await states()).map(({ measuredAt }) => measuredAt)).toContainEqual(first?.measuredAt);
  });

  it('is unknown five minutes after the last measurement, and incidents and days are forgotten after 90', async () => {
    await measure();
    await bed.database.sql(
      `INSERT INTO status_incidents (component, state, started_at, ended_at)
       VALUES ('email', 'outage', now() - interval '92 days', now() - interval '91 days')`,
    );
    await bed.database.sql(
      `INSERT INTO component_days SELECT (now() AT TIME ZONE 'UTC')::date - ago, 'email', 60, 0, 0
        FROM unnest(ARRAY[89, 90]) ago`,
    );
    await measure();
    expect(await incidents()).toEqual([]);
    const old = `SELECT day FROM component_days WHERE day < (now() AT TIME ZONE 'UTC')::date - 80`;
    expect(await bed.database.sql(old)).toHaveLength(1);
    await bed.database.sql(`UPDATE component_states SET measured_at = now() - interval '301 seconds'`);
    const unknown = answerOf(await states(), [], [], new Date()).components.slice(1);
    expect(unknown.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  describe('the history of days', () => {
    const days = () => bed.database.sql<DayRow>(daysStatement.text);
    const secondsOf = async (component: string) => {
      const own = (await days()).filter((row) => row.component === component);
      const sum = (read: (row: DayRow) => number) => own.reduce((total, row) => total + read(row), 0);
      return [
        sum((row) => row.measuredSeconds),
        sum((row) => row.degradedSeconds),
        sum((row) => row.outageSeconds),
      ].map((seconds) => Math.round(seconds / 30) * 30);
    };

    it('counts the time between measurements by the state, once for all workers', async () => {
      await measure();
      expect(await days()).toEqual([]);
      await measure();
      await Promise.all([1, 2, 3].map(() => core.get(ServiceStatus).measure()));
      expect(await secondsOf('sending')).toEqual([60, 0, 0]);
      await pause();
      await measure();
      await measure();
      await measure();
      expect(await secondsOf('sending')).toEqual([240, 0, 120]);
      expect(await secondsOf('webhooks')).toEqual([240, 0, 0]);
    });

    it('knows nothing of the time in which nothing measured', async () => {
      await measure();
      await bed.database.sql(`UPDATE component_states SET measured_at = now() - interval '10 hours'`);
      await core.get(ServiceStatus).measure();
      expect(await days()).toEqual([]);
    });

    it('gives each day its part of the time around midnight, and no day more than it has', async () => {
      await bed.database.sql(countStatement.text, [
        'sending',
        'degraded',
        new Date('2026-11-21T23:59:20Z'),
        new Date('2026-11-22T00:00:40Z'),
      ]);
      const stored = () =>
        bed.database.sql(
          `SELECT to_char(day, 'YYYY-MM-DD') AS day, measured_seconds, degraded_seconds
            FROM component_days ORDER BY day`,
        );
      expect(await stored()).toEqual([
        { day: '2026-11-21', measured_seconds: 40, degraded_seconds: 40 },
        { day: '2026-11-22', measured_seconds: 40, degraded_seconds: 40 },
      ]);
      await bed.database.sql(`UPDATE component_days SET measured_seconds = 86400`);
      await bed.database.sql(countStatement.text, [
        'sending',
        'outage',
        new Date('2026-11-21T10:00:00Z'),
        new Date('2026-11-21T10:01:00Z'),
      ]);
      expect(await stored()).toMatchObject([{ measured_seconds: 86_400 }, { measured_seconds: 86_400 }]);
    });

    it('has the API too: from reports of the servers', async () => {
      const service = core.get(ServiceStatus);
      await measure();
      await measure();
      expect(await secondsOf('api')).toEqual([0, 0, 0]);
      await Promise.all([service.reportServer(), service.reportServer()]);
      await service.reportServer();
      await measure();
      await measure();
      expect(await secondsOf('api')).toEqual([60, 0, 0]);
      await bed.database.sql(`UPDATE server_presence SET answered_at = now() - interval '4 minutes'`);
      await measure();
      await measure();
      expect(await secondsOf('api')).toEqual([180, 0, 60]);
      expect(await incidents()).toMatchObject([{ component: 'api', state: 'outage', ended: false }]);
      await service.reportServer();
      await measure();
      await measure();
      expect(await incidents()).toMatchObject([{ component: 'api', state: 'outage', ended: true }]);
    });
  });
});
