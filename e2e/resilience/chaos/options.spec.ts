import { optionsOf, UsageError } from './options.js';

const plain = { citus: false, roles: false, tls: false };

describe('options of the chaos run', () => {
  it('default to three minutes and a new seed', () => {
    expect(optionsOf([], 7)).toEqual({ seconds: 180, seed: 7, ...plain });
  });

  it.each([
    [['--minutes=10', '--seed=42'], { seconds: 600, seed: 42, ...plain }],
    [['--minutes=0.5'], { seconds: 30, seed: 7, ...plain }],
    [['--citus'], { seconds: 180, seed: 7, ...plain, citus: true }],
    [['--roles', '--tls'], { seconds: 180, seed: 7, ...plain, roles: true, tls: true }],
  ])('are parsed from %j', (args, options) => {
    expect(optionsOf(args, 7)).toEqual(options);
  });

  it.each([
    [['--minutes=0']],
    [['--minutes=many']],
    [['--seed=-1']],
    [['--seed=1.5']],
    [['--fast']],
    [['ten']],
    [['--citus', '--tls']],
  ])('refuse %j', (args) => {
    expect(() => optionsOf(args, 7)).toThrow(UsageError);
  });
});
