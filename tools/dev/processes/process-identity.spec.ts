import { spawn } from 'node:child_process';
import { commandOf, identify, isAlive } from './process-identity.js';

describe('process identity', () => {
  it('recognises a process, but not another with its number', () => {
    const own = identify(process.pid);
    expect(own).toBeDefined();
    expect(isAlive({ pid: process.pid, startedAt: own?.startedAt ?? '' })).toBe(true);
    expect(isAlive({ pid: process.pid, startedAt: 'another time' })).toBe(false);
  });

  it('knows that a process has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const identity = identify(child.pid ?? 0);
    await new Promise((resolve) => child.once('exit', resolve));
    expect(identity && isAlive(identity)).toBe(false);
  });

  it('reads the command line', () => {
    expect(commandOf(process.pid)).toContain('node');
  });
});
