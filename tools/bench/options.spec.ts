import { optionsOf, UsageError } from './options.js';

describe('options of the bench', () => {
  it('measures everything but what is on demand when nothing is asked for', () => {
    expect(optionsOf([])).toEqual({
      only: ['accept', 'plain', 'raw', 'carrier', 'live', 'fairness', 'otp', 'webhooks', 'dashboard'],
      seconds: 10,
      messages: 20_000,
      memoryStepMessages: 100_000,
      waitingMessages: 100_000,
      jsonFile: undefined,
    });
  });

  it('runs chosen parts in the order of the table', () => {
    expect(optionsOf(['--only=carrier,accept']).only).toEqual(['accept', 'carrier']);
  });

  it.each([
    [['--memory'], 100_000],
    [['--memory=5000'], 5_000],
  ])('adds the memory run for %j', (args, messages) => {
    const options = optionsOf(['--only=accept', ...args]);
    expect(options.only).toEqual(['accept', 'memory']);
    expect(options.memoryStepMessages).toBe(messages);
  });

  it.each([
    [['--only=speed']],
    [['--seconds=0']],
    [['--messages=many']],
    [['--memory=-1']],
    [['--waiting=1000001']],
    [['--fast']],
    [['accept']],
  ])('refuses %j', (args) => {
    expect(() => optionsOf(args)).toThrow(UsageError);
  });
});
