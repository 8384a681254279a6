import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive } from './process-identity.js';
import { ProcessLedger } from './process-ledger.js';

describe('ProcessLedger', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    file = join(folder, 'processes.json');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const leftBy = (launcher: object, processes: object[]) =>
    writeFileSync(file, JSON.stringify({ launcher, processes }));

  it('stops what a dead launcher left', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = identify(child.pid ?? 0);
    leftBy({ pid: 1, startedAt: 'long ago' }, [{ ...identity, name: 'server', stopSignal: 'SIGTERM' }]);
    expect(await new ProcessLedger(file).stopLeftovers()).toEqual(['server']);
    expect(identity && isAlive(identity)).toBe(false);
  });

  it('leaves a stranger alone that has the number of a child by now', async () => {
    leftBy({ pid: 1, startedAt: 'long ago' }, [
      { pid: process.pid, startedAt: 'x', name: 'server', stopSignal: 'SIGKILL' },
    ]);
    expect(await new ProcessLedger(file).stopLeftovers()).toEqual([]);
  });

  it('refuses to start beside a launcher that runs, and keeps its file', async () => {
    leftBy(identify(process.pid) ?? {}, []);
    const ledger = new ProcessLedger(file);
    await expect(ledger.stopLeftovers()).rejects.toThrow('already running');
    ledger.close();
    expect(existsSync(file)).toBe(true);
  });

  it('takes half a file for none', async () => {
    writeFileSync(file, '{"launcher":');
    expect(await new ProcessLedger(file).stopLeftovers()).toEqual([]);
  });
});
