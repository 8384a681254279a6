import { randomUUID } from 'node:crypto';
import { ApiKeys } from '../keys/api-keys.js';
import { Postgres } from '../platform/database/postgres.js';
import type { RouteMode } from '../rules/routes.js';
import { SECOND_CARRIER, SECOND_SENDER, secondCarrier, withSecondCarrier } from '../testing/second-carrier.js';
import { createTestAccount, type TestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { DispatchPauses } from '../messages/dispatch/dispatch-pauses.js';
import { OperatorNumbers } from '../numbers/operator-numbers.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { Acceptance } from '../messages/send/acceptance.js';
import { Senders } from '../messages/senders/senders.js';
import { openRoutesStatement } from './choose-route.js';

const FIRST_CARRIER = 1;
const FIRST_SENDER = '+15005550006';
const OWN_SENDER = '+15005550088';
const SECOND_MS = 1_000;

describe('ChooseRoute', () => {
  let bed: TestBed;
  let core: TestCore;
  let ada: TestAccount;
  let laterMs = 0;
  let people = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  });

  beforeEach(async () => {
    ada = await createTestAccount(core);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await core?.close();
    await bed?.remove();
  });

  const ask = (to: string, { account = ada, process = core, country = 'US' } = {}) =>
    process.get(Senders).senderFor(process.get(ApiKeys).parse(account.apiKey), to, country);
  /** Returns the sender of an accepted message. */
  const send = async (to: string, { account = ada, process = core, codeId = '' } = {}) => {
    const code = { id: codeId, kind: 'otp' } as const;
    const changes = { recipient: to, country: 'US', sender: null, ...(codeId !== '' && code) };
    const row = acceptanceRow(process, account.apiKey, changes);
    await process.get(Acceptance).decide(row);
    return row.sender;
  };
  const askForCode = (to: string, codeId: string, account = ada) =>
    core.get(Senders).senderFor(core.get(ApiKeys).parse(account.apiKey), to, 'US', { codeId });
  const person = () => {
    people += 1;
    return `+1415556${1_000 + people}`;
  };
  /**
   * Replaces the routes of the US, by carrier: weight and other values that differ from the
   * default.
   */
  const setRoutes = async (
    routes: Readonly<Record<number, { weight: number; active?: boolean; cost?: number; policy?: string }>>,
    mode: RouteMode = 'weights',
  ) => {
    for (const table of ['routes', 'route_modes', 'route_health', 'carrier_pauses'])
      await bed.database.sql(`DELETE FROM ${table}`);
    for (const [carrier, { weight, active = true, cost = null, policy = 'any' }] of Object.entries(routes))
      await bed.database.sql(
        `INSERT INTO routes (country, carrier, weight, resting_weight, active, cost_microusd, sender_policy)
         VALUES ('US', $1, $2, $2, $3, $4, $5)`,
        [carrier, weight, active, cost, policy],
      );
    await bed.database.sql(`INSERT INTO route_modes VALUES ('US', $1)`, [mode]);
    laterMs += SECOND_MS;
  };
  const chosen = async (options: Parameters<typeof ask>[1] = {}) =>
    [...new Set(await Promise.all(Array.from({ length: 20 }, () => ask(person(), options))))].toSorted();

  it('takes the senders of all carriers where a country has no routes', async () => {
    await setRoutes({ [SECOND_CARRIER]: { weight: 100 } });
    expect(await chosen({ country: 'CA' })).toEqual([FIRST_SENDER, SECOND_SENDER]);
  });

  it.each<[string, Parameters<typeof setRoutes>, string[]]>([
    ['that has the weight', [{ 1: { weight: 0 }, 2: { weight: 1 } }], [SECOND_SENDER]],
    ['or both by their weights', [{ 1: { weight: 50 }, 2: { weight: 50 } }], [FIRST_SENDER, SECOND_SENDER]],
    ['or both when no route has a weight', [{ 1: { weight: 0 }, 2: { weight: 0 } }], [FIRST_SENDER, SECOND_SENDER]],
    ['that is not paused', [{ 1: { weight: 100, active: false }, 2: { weight: 0 } }], [SECOND_SENDER]],
    ['that is configured', [{ 1: { weight: 0 }, 3: { weight: 100 } }], [FIRST_SENDER]],
    ['that has a route', [{ 2: { weight: 1 } }], [SECOND_SENDER]],
    ['that has senders of the country', [{ 1: { weight: 0 }, 2: { weight: 9, policy: 'own' } }], [FIRST_SENDER]],
    [
      'that is the cheapest',
      [{ 1: { weight: 99, cost: 8_000 }, 2: { weight: 1, cost: 7_900 } }, 'cheapest'],
      [SECOND_SENDER],
    ],
  ])('takes the carrier %s', async (_title, routes, expected) => {
    await setRoutes(...routes);
    expect(await chosen()).toEqual(expected);
  });

  it('follows the operator’s manual weight', async () => {
    await setRoutes({ [FIRST_CARRIER]: { weight: 100 }, [SECOND_CARRIER]: { weight: 0 } });
    await bed.database.sql('UPDATE routes SET manual_weight = 100 - weight');
    expect(await chosen()).toEqual([SECOND_SENDER]);
  });

  it('keeps a conversation on its route while that takes messages', async () => {
    const to = person();
    await setRoutes({ [FIRST_CARRIER]: { weight: 100 }, [SECOND_CARRIER]: { weight: 0 } });
    expect(await send(to)).toBe(FIRST_SENDER);
    await setRoutes({ [FIRST_CARRIER]: { weight: 1 }, [SECOND_CARRIER]: { weight: 100 } });
    const other = await createTestCore(withSecondCarrier(bed.config()), [secondCarrier()]);
    try {
      for (const process of [core, other]) expect(await send(to, { process })).toBe(FIRST_SENDER);
    } finally {
      await other.close();
    }
    await setRoutes({ [FIRST_CARRIER]: { weight: 0 }, [SECOND_CARRIER]: { weight: 100 } });
    expect(await send(to)).toBe(SECOND_SENDER);
  });

  it('gives a person another sender for another account, whatever the weights', async () => {
    const to = person();
    await setRoutes({ [FIRST_CARRIER]: { weight: 100 }, [SECOND_CARRIER]: { weight: 1 } });
    const [bob, first] = [await createTestAccount(core), await send(to)];
    expect(new Set([first, await send(to, { account: bob })])).toEqual(new Set([FIRST_SENDER, SECOND_SENDER]));
  });

  it('takes another route than that of a paused carrier, from the next second on', async () => {
    await setRoutes({ [FIRST_CARRIER]: { weight: 99 }, [SECOND_CARRIER]: { weight: 1 } });
    const to = person();
    await send(to);
    const pauses = core.get(DispatchPauses);
    await pauses.begin({ carrier: FIRST_CARRIER, messageId: randomUUID(), httpStatus: 401, carrierError: null }, 15);
    laterMs += SECOND_MS;
    expect([await chosen(), await ask(to)]).toEqual([[SECOND_SENDER], SECOND_SENDER]);
    await pauses.end(FIRST_CARRIER, false);
    laterMs += SECOND_MS;
    expect(await chosen()).toContain(FIRST_SENDER);
  });

  it('takes as the best the route that delivers more, while both have enough figures', async () => {
    await setRoutes({ [FIRST_CARRIER]: { weight: 100 }, [SECOND_CARRIER]: { weight: 1 } }, 'best');
    const measure = (carrier: number, messages: number, delivered: number, minutes = 0) =>
      bed.database.sql(
        `INSERT INTO route_health (country, carrier, messages, bad, hour_messages, hour_delivered, measured_at)
         VALUES ('US', $1, 0, 0, $2, $3, now() - make_interval(mins => $4))
         ON CONFLICT (country, carrier) DO UPDATE SET hour_messages = $2, measured_at = excluded.measured_at`,
        [carrier, messages, delivered, minutes],
      );
    const best = async () => {
      laterMs += SECOND_MS;
      return (await chosen()).length === 1 ? 'one' : 'both';
    };
    await measure(FIRST_CARRIER, 100, 19);
    await measure(SECOND_CARRIER, 20, 19);
    laterMs += SECOND_MS;
    expect(await chosen()).toEqual([SECOND_SENDER]);
    await bed.database.sql('UPDATE routes SET weight = 50');
    for (const [messages, minutes, expected] of [
      [20, 0, 'one'],
      [19, 0, 'both'],
      [20, 6, 'both'],
    ] as const) {
      await measure(SECOND_CARRIER, messages, 19, minutes);
      expect([messages, minutes, await best()]).toEqual([messages, minutes, expected]);
    }
  });

  describe('of one of twenty one-time passwords', () => {
    /** The last six hex digits decide; the last two decide whether the route is random. */
    const id = (digits: string) => `0190f0aa-1234-7abc-8def-012345${digits}`;

    it('takes a route at random, whatever the weights, the mode and the conversation', async () => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 99, cost: 1 }, [SECOND_CARRIER]: { weight: 1 } }, 'cheapest');
      const to = person();
      expect(await send(to)).toBe(FIRST_SENDER);
      expect(await askForCode(to, id('000000'))).toBe(FIRST_SENDER);
      expect(await askForCode(to, id('ffff00'))).toBe(SECOND_SENDER);
      expect(await askForCode(to, id('ffff0d'))).toBe(FIRST_SENDER);
      expect(await ask(to)).toBe(FIRST_SENDER);
    });

    it('leaves the conversation as it is', async () => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 50 }, [SECOND_CARRIER]: { weight: 50 } });
      const to = person();
      const usual = await send(to);
      const random = usual === FIRST_SENDER ? 'ffff00' : '000000';
      expect(await send(to, { codeId: id(random) })).not.toBe(usual);
      expect(await send(to)).toBe(usual);
    });

    it('takes none that has no weight', async () => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 99 }, [SECOND_CARRIER]: { weight: 0 } });
      expect(await askForCode(person(), id('ffff00'))).toBe(FIRST_SENDER);
    });

    it('takes the usual sender of an account that has its own', async () => {
      const dedicated = core.get(OperatorNumbers);
      await setRoutes({ [FIRST_CARRIER]: { weight: 100 }, [SECOND_CARRIER]: { weight: 1 } });
      await dedicated.set(ada.email, [OWN_SENDER]);
      try {
        expect(await askForCode(person(), id('ffff00'))).toBe(OWN_SENDER);
      } finally {
        await dedicated.set(ada.email, []);
      }
    });
  });

  it('accepts no message while every route is paused', async () => {
    await setRoutes({ [FIRST_CARRIER]: { weight: 100, active: false } });
    await expect(ask(person())).rejects.toMatchObject({ code: 'unavailable', detail: expect.stringMatching(/paused/) });
  });

  it('leaves an account the senders of its own', async () => {
    await core.get(OperatorNumbers).set(ada.email, [OWN_SENDER]);
    try {
      await setRoutes({ [FIRST_CARRIER]: { weight: 100, active: false }, [SECOND_CARRIER]: { weight: 100 } });
      expect(await chosen()).toEqual([OWN_SENDER]);
    } finally {
      await core.get(OperatorNumbers).set(ada.email, []);
    }
  });

  describe('reads the routes', () => {
    const reads = async (process: TestCore, work: () => Promise<unknown>) => {
      const query = jest.spyOn(process.get(Postgres), 'query');
      try {
        await work();
        return query.mock.calls.filter(([statement]) => statement === openRoutesStatement).length;
      } finally {
        query.mockRestore();
      }
    };

    it('once a second, however many messages there are', async () => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 50 }, [SECOND_CARRIER]: { weight: 50 } });
      expect(await reads(core, chosen)).toBe(1);
      laterMs += SECOND_MS;
      expect(await reads(core, chosen)).toBe(1);
    });

    it('never with one carrier, which takes everything', async () => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 0, active: false }, [SECOND_CARRIER]: { weight: 100 } });
      const alone = await createTestCore(bed.config());
      try {
        const found = reads(alone, async () => expect(await chosen({ process: alone })).toEqual([FIRST_SENDER]));
        expect(await found).toBe(0);
      } finally {
        await alone.close();
      }
    });
  });

  describe('while a table cannot be read', () => {
    const locked = async (table: string, work: () => Promise<unknown>) => {
      await setRoutes({ [FIRST_CARRIER]: { weight: 100 } });
      await ask(person());
      // The cached routes have expired.
      laterMs += 120 * SECOND_MS;
      const other = await bed.database.connect();
      try {
        await other.query('BEGIN');
        await other.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        await work();
      } finally {
        await other.end();
      }
      expect(await ask(person())).toBe(FIRST_SENDER);
    };

    it('waits for the routes for seconds, and reads them again', () =>
      locked('routes', () => expect(ask(person())).rejects.toThrow('Query read timeout')));

    it('waits for the numbers for seconds, and has those that it knew', () =>
      locked('numbers', async () => expect(await ask(person())).toBe(FIRST_SENDER)));
  });
});
