import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Pennytext } from '../client.js';
import { bulk } from './bulk.js';
import { parse, textOf, unknownCommand } from './command.js';
import { configFile, forgetConnection, readConnection, saveConnection } from './config.js';
import { readText, recordsOf } from './csv.js';
import { short } from './events.js';
import { mediaFields, messageCommands } from './messages.js';
import { Terminal } from './terminal.js';

describe('recordsOf', () => {
  it.each([
    ['a comma', 'to,message\n+1,Hello\n+2,Bye\n'],
    ['a semicolon', 'to;message\n+1;Hello\n+2;Bye'],
    ['a tab and \\r\\n', 'to\tmessage\r\n+1\tHello\r\n\r\n+2\tBye\r\n'],
    ['the separator in a line of its own', 'sep=|\r\nto|message\r\n+1|Hello\r\n+2|Bye\r\n'],
    ['line ends of old Macs', 'to,message\r+1,Hello\r+2,Bye\r'],
  ])('reads rows with %s', (_case, text) => {
    expect(recordsOf(text)).toEqual([
      { to: '+1', message: 'Hello' },
      { to: '+2', message: 'Bye' },
    ]);
  });

  it('reads quoted cells with separators, quotation marks and lines', () => {
    expect(recordsOf('to,message,reference\n+1,"Hi, ""Ada""\nBye",\n')).toEqual([
      { to: '+1', message: 'Hi, "Ada"\nBye', reference: '' },
    ]);
  });

  it('fills missing cells at the end of a row', () => {
    expect(recordsOf('to,message,reference\n+1,Hi')).toEqual([{ to: '+1', message: 'Hi', reference: '' }]);
  });

  it.each([
    ['', 'empty'],
    ['to\n+1,x', 'Line 2 has 2 columns'],
    ['to,message\n+1,"x', 'never closed'],
  ])('explains what is wrong with %j', (text, reason) => {
    expect(() => recordsOf(text)).toThrow(reason);
  });
});

describe('the text of files and pipes', () => {
  const text = 'to;message\n+1;Café à 10 h';
  const noted: string[] = [];
  const terminalOf = (stdin: PassThrough) => {
    const stderr = new PassThrough().on('data', (chunk) => noted.push(String(chunk)));
    return new Terminal({ stdin, stdout: new PassThrough(), stderr }, false);
  };

  it.each([
    ['UTF-8', Buffer.from(text), 0],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 0],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 0],
    ['UTF-16 without one', Buffer.from(text, 'utf16le'), 0],
    ['Windows-1252, which is noted', Buffer.from(text, 'latin1'), 1],
  ])('may be %s', async (_case, bytes, notes) => {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-cli-'));
    writeFileSync(join(folder, 'a.csv'), bytes);
    noted.length = 0;
    expect(readText(join(folder, 'a.csv'), terminalOf(new PassThrough()))).toBe(text);
    expect(noted).toHaveLength(notes);
    rmSync(folder, { recursive: true });
    const stdin = new PassThrough();
    // The parts of the input end within a character.
    for (const byte of bytes) stdin.write(Buffer.from([byte]));
    stdin.end();
    expect(await textOf('-', terminalOf(stdin))).toBe(text);
  });

  it('is no workbook', () => {
    const stdin = new PassThrough();
    stdin.end(Buffer.from('PK\u0003\u0004'));
    return expect(textOf('-', terminalOf(stdin))).rejects.toThrow('Save the table as CSV');
  });
});

describe('the configuration', () => {
  let folder: string;
  const env = () => ({ XDG_CONFIG_HOME: folder });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is readable by its owner alone', () => {
    const file = saveConnection(env(), { apiKey: 'secret', baseUrl: 'https://api.example' });
    expect(file).toBe(join(folder, 'pennytext', 'config.json'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'pennytext')).mode & 0o777).toBe(0o700);
    expect(readConnection(env())).toEqual({ apiKey: 'secret', baseUrl: 'https://api.example' });
  });

  it('is closed again when others could read it', () => {
    const file = saveConnection(env(), { apiKey: 'secret', baseUrl: 'https://api.example' });
    chmodSync(file, 0o644);
    readConnection(env());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is replaced by the environment', () => {
    saveConnection(env(), { apiKey: 'saved', baseUrl: 'https://saved.example' });
    const given = { PENNYTEXT_API_KEY: 'given', PENNYTEXT_URL: 'https://given.example' };
    expect(readConnection({ ...env(), ...given })).toEqual({ apiKey: 'given', baseUrl: 'https://given.example' });
  });

  it('asks for a login when it is missing, deleted or broken', () => {
    expect(() => readConnection(env())).toThrow('pennytext login');
    const file = saveConnection(env(), { apiKey: 'secret', baseUrl: 'https://api.example' });
    writeFileSync(file, '{');
    expect(() => readConnection(env())).toThrow('cannot be read');
    forgetConnection(env());
    expect(() => readFileSync(file)).toThrow('ENOENT');
    expect(() => readConnection(env())).toThrow('pennytext login');
  });

  it.each([
    ['linux', {}, '/home/ada/.config/pennytext/config.json'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/pennytext/config.json'],
    ['darwin', {}, '/home/ada/Library/Application Support/pennytext/config.json'],
  ] as const)('is where %s keeps settings', (platform, variables, file) => {
    expect(configFile(variables, platform, '/home/ada')).toBe(file);
  });
});

describe('--media', () => {
  const client = new Pennytext({
    apiKey: 'key',
    baseUrl: 'https://api.example',
    fetch: () => Promise.resolve(Response.json({ success: 'true', media_id: 'ME-uploaded' })),
  });
  const fieldsOf = (...argv: string[]) =>
    mediaFields(parse(bulk, ['a.csv', ...argv]).values, client, new AbortController().signal);

  it('is nothing without it', async () => expect(await fieldsOf()).toEqual({}));

  it('passes on URLs and ids, and uploads files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-cli-'));
    writeFileSync(join(folder, 'a.png'), 'bytes');
    const id = `ME${'a'.repeat(32)}`;
    const url = 'https://example.com/a.png';
    expect(await fieldsOf('--media', url, '--media', join(folder, 'a.png'), '--media', id)).toEqual({
      media: [{ url }, { media_id: 'ME-uploaded' }, { media_id: id }],
    });
    rmSync(folder, { recursive: true });
  });

  it('names a file that cannot be read', () =>
    expect(fieldsOf('--media', '/none/a.png')).rejects.toThrow('/none/a.png cannot be read'));
});

describe('parse', () => {
  it('reads options and arguments', () => {
    const { args, values } = parse(bulk, ['a.csv', '--partial', '--max-credits', '7', '--json']);
    expect(args).toEqual(['a.csv']);
    expect([values.flag('partial'), values.flag('yes'), values.number('max-credits')]).toEqual([true, false, 7]);
  });

  it.each([
    [[], 'Usage: pennytext bulk FILE.csv'],
    [['a', 'b'], 'Usage'],
    [['a', '--unknown'], '--unknown'],
    [['a', '--max-credits'], 'max-credits'],
  ])('refuses %j', (argv, reason) => {
    expect(() => parse(bulk, argv)).toThrow(reason);
  });

  it('collects an option that may be repeated', () => {
    const { values } = parse(bulk, ['a.csv', '--media', 'a.png', '--media', 'https://example.com/b.png']);
    expect(values.list('media')).toEqual(['a.png', 'https://example.com/b.png']);
    expect(parse(bulk, ['a.csv']).values.list('media')).toEqual([]);
  });

  it('refuses a number that is none', () => {
    expect(() => parse(bulk, ['a', '--max-credits', '7x']).values.number('max-credits')).toThrow('--max-credits');
  });
});

it('prints texts of others without control characters', () => {
  expect(short('a\u001b[31m\nb\u202e c')).toBe('a [31m b c');
  expect(short('x'.repeat(100))).toHaveLength(60);
});

describe('an unknown command', () => {
  const known = ['login', 'logout', 'send', 'quote', 'bulk', 'balance', 'status', 'logs', 'listen', 'trigger', 'mcp'];

  it.each([
    ['sned', 'send'],
    ['sen', 'send'],
    ['ballance', 'balance'],
    ['lisen', 'listen'],
    ['log', 'logs'],
    ['mpc', 'mcp'],
  ])('%s is answered with the one that was meant, %s', (name, meant) => {
    expect(unknownCommand(name, known)).toBe(
      `There is no command "${name}". Did you mean "${meant}"? See pennytext --help.`,
    );
  });

  it.each(['deploy', 'x', ''])('%j is like none of them', (name) => {
    expect(unknownCommand(name, known)).toBe(`There is no command "${name}". See pennytext --help.`);
  });
});

describe('messages with files', () => {
  const MEDIA_ID = `ME${'1'.repeat(32)}`;
  let printed = '';

  const run = async (name: 'send' | 'quote', argv: string[]) => {
    printed = '';
    const bodies: unknown[] = [];
    const stdout = new PassThrough().on('data', (chunk) => (printed += String(chunk)));
    const terminal = new Terminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough() }, false);
    const answer = { kind: 'mms', status: 'queued', segments: 1, credits: 3, balance: 9, unsupported_characters: [] };
    const fetch = (_url: unknown, request?: RequestInit) => {
      bodies.push(typeof request?.body === 'string' ? JSON.parse(request.body) : request?.body);
      return Promise.resolve(Response.json({ ...answer, balance_after: 6, quote: 'QUOTE', country: 'US' }));
    };
    const client = () => new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example', fetch });
    const command = messageCommands[name];
    const { args, values } = parse(command, argv);
    await command.run({ terminal, env: {}, signal: new AbortController().signal, client }, args, values);
    return bodies;
  };

  it.each(['send', 'quote'] as const)('%s needs no text beside a file', async (name) => {
    const media = [{ media_id: MEDIA_ID }];
    expect(await run(name, ['+1', '--media', MEDIA_ID])).toMatchObject([{ to: '+1', message: '', media }]);
    await expect(run(name, ['+1'])).rejects.toThrow(`Usage: pennytext ${name} TO TEXT`);
  });

  it('shows the price of an MMS, and the files for which it holds', async () => {
    const argv = ['+1', 'Hello', '--media', MEDIA_ID, '--media-fallback', 'link'];
    expect(await run('quote', argv)).toMatchObject([{ message: 'Hello', media_fallback: 'link' }]);
    expect(printed).toContain('3 credits: MMS to US.');
    expect(printed).toContain(`with --media ${MEDIA_ID} --quote:`);
  });
});
