import { CommanderError } from 'commander';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { refusalOf } from './command-line.js';
import { operatorProgram } from './commands.js';

/** Returns the program's output for a command line, and its exit code. */
async function printed(line: string): Promise<{ refusal: unknown; exitCode: number }> {
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await operatorProgram(async () => undefined).parseAsync(line.split(' '), { from: 'user' });
    return { refusal: undefined, exitCode: 0 };
  } catch (error) {
    expect(stderr).not.toHaveBeenCalled();
    return { refusal: refusalOf(error), exitCode: error instanceof CommanderError ? error.exitCode : 1 };
  } finally {
    jest.restoreAllMocks();
  }
}

describe('a mistyped command', () => {
  it.each([
    ['vanish', "unknown command 'vanish'"],
    ['account vanish ada@example.com', "unknown command 'vanish'"],
    ['acount show ada@example.com', "unknown command 'acount' (Did you mean account?)"],
    ['account show', "missing required argument 'email'"],
    ['credits adjust ada@example.com 10', "required option '--why <reason>' not specified"],
    ['ledger check --hard', "unknown option '--hard'"],
    ['account', 'The command is incomplete. --help lists what can follow.'],
    [
      'code create --credits none',
      "option '--credits <credits>' argument 'none' is invalid. Give a whole number from 1 to 1000000000.",
    ],
  ])('prints JSON and nothing else: %s', async (line, error) => {
    expect(await printed(line)).toEqual({ refusal: { error, code: 'invalid_request' }, exitCode: 1 });
  });

  it('prints help as text when asked', async () => {
    expect(await printed('account --help')).toEqual({ refusal: undefined, exitCode: 0 });
  });

  it('is refused in the shape of a refused command', () => {
    expect(refusalOf(new DomainError('account_not_found', 'No such account.'))).toEqual({
      error: 'No such account.',
      code: 'account_not_found',
    });
    expect(refusalOf(new Error('anything'))).toBeUndefined();
  });
});
