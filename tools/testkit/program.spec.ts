import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, isListening, isPortFree, takePort } from './ports.js';
import { Program, run, type ProgramOptions } from './program.js';
import { until } from './until.js';

describe('Program', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'program-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const node = (script: string, options: Partial<ProgramOptions> = {}) =>
    new Program({
      name: 'script',
      command: process.execPath,
      args: ['-e', script],
      logFile: join(folder, 'log'),
      ...options,
    });
  const printed = () => readFileSync(join(folder, 'log'), 'utf8');

  it('writes its output to a file and resolves with its exit code', async () => {
    expect(await node("console.log('out'); console.error('err'); process.exitCode = 3").ended).toEqual({
      code: 3,
      signal: null,
    });
    expect(printed()).toBe('out\nerr\n');
  });

  it('passes its output on line by line', async () => {
    const lines: string[] = [];
    const program = new Program({
      name: 'script',
      command: process.execPath,
      args: ['-e', "process.stdout.write('one\\ntwo')"],
      onLine: (line) => lines.push(line),
    });
    await program.ended;
    expect(lines).toEqual(['one', 'two']);
  });

  it('gets PATH, HOME and the given variables only', async () => {
    process.env['PENNYTEXT_PROGRAM_SPEC'] = 'leaked';
    await node('console.log(process.env.PENNYTEXT_PROGRAM_SPEC, process.env.GIVEN)', { env: { GIVEN: 'yes' } }).ended;
    delete process.env['PENNYTEXT_PROGRAM_SPEC'];
    expect(printed()).toBe('undefined yes\n');
  });

  it('is killed when it does not stop within its bound', async () => {
    const program = node("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)", {
      stopBoundMs: 100,
    });
    await until('it is up', () => printed().includes('up'), { timeoutMs: 30_000 });
    expect(await program.stop()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(program.isRunning).toBe(false);
  });

  it('reports the end of its log when it ends instead of becoming ready', async () => {
    const program = node("console.error('no database'); process.exit(1)");
    await expect(program.ready(() => Promise.resolve(false))).rejects.toThrow('no database');
  });

  it('rejects when its command does not exist', async () => {
    await expect(node('', { command: '/nonexistent' }).ended).rejects.toThrow('ENOENT');
    await expect(run('/nonexistent', [], { timeoutMs: 1_000 })).rejects.toThrow('ENOENT');
  });
});

describe('ports', () => {
  it('are free until they are taken', async () => {
    const { port, release } = await takePort();
    expect(await isPortFree(port)).toBe(false);
    expect(await isListening(port)).toBe(true);
    await release();
    expect(await isPortFree(port)).toBe(true);
    expect(await isListening(port)).toBe(false);
  });

  it('differ from each other', async () => {
    expect(new Set(await freePorts(5)).size).toBe(5);
  });
});
