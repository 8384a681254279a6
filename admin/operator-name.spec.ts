import { userInfo } from 'node:os';
import { Command } from 'commander';
import { addCommands, operatorProgram } from './commands.js';
import { commandOperator, operatorName } from './operator-name.js';

jest.mock('node:os', () => ({ ...jest.requireActual<object>('node:os'), userInfo: jest.fn() }));
const system = jest.mocked(userInfo);
const systemUserIs = (username: string) => system.mockReturnValue({ username } as ReturnType<typeof userInfo>);

describe('the name of an operator', () => {
  beforeEach(() => systemUserIs('root'));

  it('is the login, with sudo that of the person', () => {
    expect(commandOperator(undefined, { USER: 'Ada' })).toEqual({ name: 'ada', login: undefined });
    expect(commandOperator(undefined, { SUDO_USER: 'ada', USER: 'root', LOGNAME: 'root' }).name).toBe('ada');
    expect(commandOperator(undefined, { LOGNAME: 'bob.smith' }).name).toBe('bob.smith');
    systemUserIs('grace');
    expect(commandOperator(undefined, {}).name).toBe('grace');
  });

  it.each([
    ['root', {}],
    ['node', { HOME: '/home/node' }],
    ['root', { USER: 'root', SUDO_USER: 'root' }],
    ['ubuntu', { USER: 'ubuntu', LOGNAME: 'ubuntu' }],
    ['node', { USER: 'a b' }],
  ])('is missing for a login that is no person’s: %s %j', (username, variables) => {
    systemUserIs(username);
    expect(commandOperator(undefined, variables)).toEqual({ name: undefined, login: undefined });
  });

  it('is missing for a user id without a name', () => {
    system.mockImplementation(() => {
      throw Object.assign(new Error('ENOENT'), { syscall: 'uv_os_get_passwd' });
    });
    expect(commandOperator(undefined, {}).name).toBeUndefined();
    expect(commandOperator('ada', {}).name).toBe('ada');
  });

  it('is the one that is given, beside the login if that is another person’s', () => {
    expect(commandOperator('ada', { USER: 'bob' })).toEqual({ name: 'ada', login: 'bob' });
    expect(commandOperator('ada', { USER: 'ada' })).toEqual({ name: 'ada', login: undefined });
    expect(commandOperator('ada', { USER: 'root' })).toEqual({ name: 'ada', login: undefined });
  });

  it('has one form, whatever its letter case', () => {
    expect(operatorName(' Ada ')).toBe('ada');
    for (const wrong of ['', ' ', '1a', 'a b', 'ada@example.com', 'ada:x', 'é', 'a'.repeat(41), 'root', 'Node'])
      expect(() => operatorName(wrong)).toThrow('Give your own name');
  });
});

describe('a command', () => {
  const reading = [
    'account show',
    'approvals list',
    'audit list',
    'backup verify',
    'inbound status',
    'key list',
    'ledger check',
    'ledger verify',
    'margin',
    'message show',
    'optout list',
    'payments list',
    'queue status',
    'region list',
    'region show',
    'route history',
    'route list',
    'route prices',
    'route show',
    'shards status',
    'webhook show',
  ];

  /** Returns the names of all commands that do work, with values for their arguments and options. */
  function allCommands(): { name: string; line: string[] }[] {
    const program = new Command('admin');
    addCommands(program, async () => undefined);
    const values: Readonly<Record<string, string>> = {
      email: 'ada@example.com',
      address: '203.0.113.7',
      url: 'https://example.com',
      number: '+14155552671',
      state: 'on',
      country: 'US',
      'carrier:weight': 'twilio:1',
      mode: 'weights',
      '--email': 'ada@example.com',
      '--since': '2026-01-01',
      'backup settle --since': '2026-01-01T00:00:00Z',
    };
    const below = (command: Command, names: string[]): { name: string; line: string[] }[] =>
      command.commands.flatMap((one) => {
        const path = [...names, one.name()];
        if (one.commands.length > 0) return below(one, path);
        const words = one.registeredArguments
          .filter(({ required }) => required)
          .map((argument) => values[argument.name()] ?? '1');
        const options = one.options
          .filter(({ mandatory }) => mandatory)
          .flatMap(({ long }) => [long ?? '', values[`${path.join(' ')} ${long}`] ?? values[long ?? ''] ?? '1']);
        return [{ name: path.join(' '), line: [...path, ...words, ...options] }];
      });
    return below(program, []);
  }

  it.each(allCommands())('$name needs a name if it changes something', async ({ name, line }) => {
    systemUserIs('node');
    const { SUDO_USER, LOGNAME, USER } = process.env;
    const ran: (string | undefined)[] = [];
    const run = (words: string[]) =>
      operatorProgram(async (_work, operator) => void ran.push(operator)).parseAsync(words, { from: 'user' });
    try {
      for (const variable of ['SUDO_USER', 'LOGNAME', 'USER']) delete process.env[variable];
      await run(['--as', 'Ada', ...line]);
      await run([...line, '--as', 'bob']);
      const nameless = run(line);
      if (reading.includes(name)) await nameless;
      else await expect(nameless).rejects.toThrow('Add --as NAME');
    } finally {
      Object.assign(process.env, Object.fromEntries(Object.entries({ SUDO_USER, LOGNAME, USER }).filter(([, v]) => v)));
    }
    expect(ran).toEqual(['ada', 'bob', ...(reading.includes(name) ? [undefined] : [])]);
  });

  it('is one of those that read, which are all there', () => {
    const names = allCommands().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(reading));
    expect(names.length).toBeGreaterThan(40);
  });

  it.each([
    ['credits adjust', ['credits', 'adjust', 'ada@example.com', '5', '--why', 'goodwill']],
    ['approvals approve', ['approvals', 'approve', '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d']],
    ['code create', ['code', 'create', '--credits', '5', '--uses', '1']],
  ])('%s is done under the login, if that is a person’s', async (_name, words) => {
    const { SUDO_USER } = process.env;
    process.env['SUDO_USER'] = 'fay';
    try {
      const run = (line: string[]) => operatorProgram(async () => undefined).parseAsync(line, { from: 'user' });
      await expect(run(['--as', 'gil', ...words])).rejects.toThrow('Your login is fay: leave out --as.');
      await run(['--as', 'fay', ...words]);
      await run(words);
    } finally {
      if (SUDO_USER === undefined) delete process.env['SUDO_USER'];
      else process.env['SUDO_USER'] = SUDO_USER;
    }
  });
});
