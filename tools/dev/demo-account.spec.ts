import { apiKeyIn, demoApiKey, type RunAdmin } from './demo-account.js';

const answer = (code: number, output: string, errors = '') => ({ code, output, errors });

describe('demoApiKey', () => {
  it('returns the key of an existing account', async () => {
    expect(await demoApiKey(() => Promise.resolve(answer(0, '{"apiKey":"known"}')))).toBe('known');
  });

  it('creates the account with 100 credits when there is none', async () => {
    const calls: string[] = [];
    const runAdmin: RunAdmin = (args) => {
      calls.push(args.join(' '));
      return Promise.resolve(args[1] === 'show' ? answer(1, '') : answer(0, '{"apiKey":"new"}'));
    };
    expect(await demoApiKey(runAdmin)).toBe('new');
    expect(calls).toEqual([
      'account show demo@pennytext.example',
      '--as npm-start account create --email demo@pennytext.example --credits 100',
    ]);
  });

  it('throws one line when the account cannot be created', async () => {
    await expect(demoApiKey(() => Promise.resolve(answer(1, '', 'no database\n  at stack')))).rejects.toThrow(
      'The demo account could not be made: no database',
    );
  });
});

describe('apiKeyIn', () => {
  it.each(['', 'not json', '{}', '{"apiKey":1}'])('finds no key in %s', (output) => {
    expect(apiKeyIn(output)).toBeUndefined();
  });
});
