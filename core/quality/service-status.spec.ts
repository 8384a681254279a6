import { answerOf, apiState, changeOf, measuredStates, type ComponentRow, type DayRow } from './service-status.js';

const now = new Date('2026-11-22T15:00:00Z');
const before = new Date('2026-11-22T14:59:00Z');
const row = (change: Partial<ComponentRow>): ComponentRow => ({
  component: 'sending',
  state: 'operational',
  candidate: null,
  candidateAt: null,
  measuredAt: before,
  fresh: true,
  ...change,
});
const settled = { candidate: null, candidateAt: null };

describe('measuredStates', () => {
  const waiting = (dispatch: number, webhooks = 0, mail = 0) =>
    Object.entries({ dispatch, webhooks, mail, held: 100_000 }).map(([kind, oldestAgeSeconds]) => ({
      kind: kind as 'dispatch',
      rows: 1,
      oldestAgeSeconds,
    }));

  const statesOf = (measured: Partial<Parameters<typeof measuredStates>[0]>) =>
    measuredStates({ waiting: [], carrier: undefined, countries: [], isPaused: false, sendsMail: true, ...measured });

  it.each([
    [0, 'operational'],
    [119, 'operational'],
    [120, 'degraded'],
    [899, 'degraded'],
    [900, 'outage'],
  ])('of a message that has waited %i s: %s', (age, state) => {
    expect(statesOf({ waiting: waiting(age) }).get('sending')).toBe(state);
  });

  it('each by the age of its own rows', () => {
    expect([...statesOf({ waiting: waiting(0, 300, 3_600) })]).toEqual([
      ['sending', 'operational'],
      ['webhooks', 'degraded'],
      ['email', 'outage'],
    ]);
  });

  it('sending is out while the carrier refuses the account', () => {
    expect(statesOf({ isPaused: true }).get('sending')).toBe('outage');
  });

  it.each([
    [1, 119, false, 'operational'],
    [1, 120, false, 'degraded'],
    [1, 900, false, 'outage'],
    [9, 5_000, true, 'operational'],
    [10, 119, true, 'operational'],
    [10, 5_000, true, 'degraded'],
  ])('%i messages without an answer of the carrier for %i s, newer ones answered: %s: %s', (...values) => {
    const [unanswered, oldestSeconds, answersNewer, state] = values;
    expect(statesOf({ carrier: { unanswered, oldestSeconds, answersNewer } }).get('sending')).toBe(state);
  });

  const route = (bad = 0, isPaused = false) => ({ isPaused, messages: 100, bad });
  const routed = (...routes: ReturnType<typeof route>[]) => ({ routes, isServedWithoutRoutes: false });
  const withoutRoutes = { routes: [], isServedWithoutRoutes: true };
  it.each([
    [
      'operational',
      'each country has a healthy route',
      [routed(route(), route(100)), routed(route(29)), withoutRoutes],
    ],
    ['degraded', 'a country has none', [routed(route()), routed(route(30), route(100))]],
    ['degraded', 'the only carrier of a country is paused', [routed(route()), routed(route(0, true))]],
    ['degraded', 'no route of a country is open', [routed(route()), routed()]],
  ])('sending is %s while %s', (state, _title, countries) => {
    const carrier = { unanswered: 100, oldestSeconds: 5_000, answersNewer: true };
    expect(statesOf({ countries, carrier }).get('sending')).toBe(state);
    expect(statesOf({ countries, isPaused: true }).get('sending')).toBe('outage');
  });

  it('without any routes, the answers of the carriers decide', () => {
    const carrier = { unanswered: 10, oldestSeconds: 5_000, answersNewer: true };
    expect(statesOf({ countries: [withoutRoutes], carrier }).get('sending')).toBe('degraded');
  });

  it('a carrier that answers does not hide a backlog', () => {
    const carrier = { unanswered: 10, oldestSeconds: 200, answersNewer: true };
    expect(statesOf({ waiting: waiting(900), carrier }).get('sending')).toBe('outage');
  });

  it('leaves email out where none is sent', () => {
    expect([...statesOf({ waiting: waiting(0, 0, 9_999), sendsMail: false }).keys()]).toEqual(['sending', 'webhooks']);
  });
});

describe('apiState', () => {
  it.each([
    ['no server has ever reported', null, true, undefined],
    ['a server has just reported', 0, true, 'operational'],
    ['none has for less than three minutes', 179, true, 'operational'],
    ['none has for three minutes', 180, true, 'outage'],
    ['the machine was off, and the worker is first', 80_000, false, undefined],
    ['the machine was off, and the server is first', 5, false, 'operational'],
  ])('when %s', (_title, silentSeconds, wasMeasuring, state) => {
    expect(apiState(silentSeconds, wasMeasuring)).toBe(state);
  });
});

describe('a measurement', () => {
  it.each([
    ['the first one counts', undefined, 'degraded', { state: 'degraded', ...settled, begins: now }],
    ['so does one after a pause', row({ fresh: false }), 'outage', { state: 'outage', ...settled, begins: now }],
    ['the same state changes nothing', row({}), 'operational', { state: 'operational', ...settled, begins: undefined }],
    [
      'another state is noted',
      row({}),
      'outage',
      { state: 'operational', candidate: 'outage', candidateAt: now, begins: undefined },
    ],
    [
      'and forgotten when it was one measurement',
      row({ candidate: 'outage', candidateAt: before }),
      'operational',
      { state: 'operational', ...settled, begins: undefined },
    ],
    [
      'a second time it counts from the first',
      row({ candidate: 'outage', candidateAt: before }),
      'outage',
      { state: 'outage', ...settled, begins: before },
    ],
    [
      'also when it got worse in between',
      row({ candidate: 'degraded', candidateAt: before }),
      'outage',
      { state: 'outage', ...settled, begins: before },
    ],
    [
      'the end counts from its first measurement',
      row({ state: 'outage', candidate: 'operational', candidateAt: before }),
      'operational',
      { state: 'operational', ...settled, begins: before },
    ],
  ] as const)('%s', (_title, known, measured, change) => {
    expect(changeOf(known, measured, now)).toEqual(change);
  });
});

describe('the answer', () => {
  it('is unknown for what was never measured; email is left out', () => {
    const { history, ...answer } = answerOf([], [], [], now);
    expect(history.map(({ component }) => component)).toEqual(['api', 'sending', 'webhooks']);
    expect(answer).toEqual({
      success: 'true',
      measured_at: null,
      components: [
        { component: 'api', state: 'operational' },
        { component: 'sending', state: 'unknown' },
        { component: 'webhooks', state: 'unknown' },
      ],
      incidents: [],
    });
  });

  it('never shows an old measurement as the state', () => {
    const { components, measured_at: at } = answerOf([row({ fresh: false }), row({ component: 'email' })], [], [], now);
    expect(components).toContainEqual({ component: 'sending', state: 'unknown' });
    expect(components).toContainEqual({ component: 'email', state: 'operational' });
    expect(at).toBe(before.toISOString());
  });

  describe('its history', () => {
    const days = (...rows: Partial<DayRow>[]) => {
      const whole = { component: 'sending', measuredSeconds: 86_400, degradedSeconds: 0, outageSeconds: 0 } as const;
      const all = rows.map((one) => ({ day: '2026-11-21', ...whole, ...one }));
      return answerOf([], [], all, now).history.find(({ component }) => component === 'sending');
    };
    const unknown = { state: 'unknown', available_percent: null, measured_percent: 0 };

    it('has 90 days, today last, and those that were not measured are unknown, never up', () => {
      const history = days();
      expect(history?.available_percent).toBeNull();
      expect(history?.days).toHaveLength(90);
      expect(history?.days[0]).toEqual({ day: '2026-08-25', ...unknown });
      expect(history?.days[89]).toEqual({ day: '2026-11-22', ...unknown });
    });

    it.each([
      ['operational', { degradedSeconds: 0, outageSeconds: 0 }, 100],
      ['degraded', { degradedSeconds: 60, outageSeconds: 0 }, 100],
      ['outage', { degradedSeconds: 600, outageSeconds: 1 }, 99.99],
      ['outage', { degradedSeconds: 0, outageSeconds: 21_600 }, 75],
    ])('shows the worst of a day: %s for %j, and rounds down', (state, seconds, percent) => {
      const history = days(seconds);
      expect(history?.days[88]).toEqual({
        day: '2026-11-21',
        state,
        available_percent: percent,
        measured_percent: 100,
      });
      expect(history?.available_percent).toBe(percent);
    });

    it('shows how much of a day was measured, of today until now', () => {
      // The time is 15:00.
      const history = days({ measuredSeconds: 43_200 }, { day: '2026-11-22', measuredSeconds: 54_000 });
      expect(history?.days.slice(-2).map((one) => one.measured_percent)).toEqual([50, 100]);
    });

    it('is that of the component alone', () => {
      expect(days({ component: 'webhooks' })?.days[88]).toMatchObject(unknown);
    });
  });
});
