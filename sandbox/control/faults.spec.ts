import { Faults, type Fault } from './faults.js';

describe('Faults', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const fault = (more: Partial<Fault> = {}): Fault => ({
    service: 'twilio',
    mode: '500',
    from: null,
    count: null,
    delayMs: 0,
    endsAtMs: null,
    ...more,
  });

  it('end when their time has come, and announce it', () => {
    const faults = new Faults();
    faults.set(fault({ endsAtMs: Date.now() + 10_000 }));
    let announced = 0;
    faults.watch(() => (announced += 1));
    jest.advanceTimersByTime(9_999);
    expect([faults.of('twilio').mode, announced]).toEqual(['500', 0]);
    jest.advanceTimersByTime(1);
    expect([faults.of('twilio').mode, announced]).toEqual(['none', 1]);
  });

  it('end at their own time, not at that of the one before', () => {
    const faults = new Faults();
    faults.set(fault({ endsAtMs: Date.now() + 1_000 }));
    faults.set(fault({ mode: '429' }));
    jest.advanceTimersByTime(60_000);
    expect(faults.of('twilio').mode).toBe('429');
  });

  it('count the requests that met them, and announce each', () => {
    const faults = new Faults();
    faults.set(fault({ count: 3 }));
    let announced = 0;
    faults.watch(() => (announced += 1));
    faults.take('twilio', ['429']);
    faults.take('telnyx');
    expect([faults.met('twilio'), announced]).toEqual([0, 0]);
    faults.take('twilio');
    faults.take('twilio');
    expect([faults.met('twilio'), faults.of('twilio').count, announced]).toEqual([2, 1, 2]);
    faults.set(fault());
    expect(faults.met('twilio')).toBe(0);
  });

  it('of some recipients are met by these alone, whatever the case of their letters', () => {
    const faults = new Faults();
    faults.set(fault({ service: 'mail', mode: 'refuse', to: ['bob@example.com'], count: 2 }));
    const modeFor = (to?: string) => faults.take('mail', undefined, { to }).mode;
    expect([modeFor(), modeFor('ada@example.com'), modeFor('Bob@example.com')]).toEqual(['none', 'none', 'refuse']);
    expect([faults.of('mail').count, faults.takeOfRecipient('mail', 'bob@example.com').mode]).toEqual([1, 'refuse']);
    faults.set(fault({ service: 'mail', mode: 'refuse' }));
    expect([faults.takeOfRecipient('mail', 'bob@example.com').mode, modeFor()]).toEqual(['none', 'refuse']);
  });

  it('are gone after clear', () => {
    const faults = new Faults();
    faults.set(fault({ endsAtMs: Date.now() + 1_000 }));
    faults.take('twilio');
    faults.clear();
    expect([faults.of('twilio').mode, faults.met('twilio')]).toEqual(['none', 0]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
