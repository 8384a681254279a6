import { answerOf, changeOf, measuredStates, type ComponentRow } from './service-status.js';

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
    measuredStates({ waiting: [], carrier: undefined, isPaused: false, sendsMail: true, ...measured });

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

  it('a carrier that answers does not hide a backlog', () => {
    const carrier = { unanswered: 10, oldestSeconds: 200, answersNewer: true };
    expect(statesOf({ waiting: waiting(900), carrier }).get('sending')).toBe('outage');
  });

  it('leaves email out where none is sent', () => {
    expect([...statesOf({ waiting: waiting(0, 0, 9_999), sendsMail: false }).keys()]).toEqual(['sending', 'webhooks']);
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
    expect(answerOf([], [])).toEqual({
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
    const { components, measured_at: at } = answerOf([row({ fresh: false }), row({ component: 'email' })], []);
    expect(components).toContainEqual({ component: 'sending', state: 'unknown' });
    expect(components).toContainEqual({ component: 'email', state: 'operational' });
    expect(at).toBe(before.toISOString());
  });
});
