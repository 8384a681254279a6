import { spawn, type ChildProcess } from 'node:child_process';
import { guardianScript } from './guardian.js';

const endOf = (child: ChildProcess) =>
  new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));

describe('guardianScript', () => {
  const watched = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const guardian = () => spawn('/bin/sh', ['-c', guardianScript], { stdio: ['pipe', 'ignore', 'ignore'] });

  it('stops what it watches, and that alone, when its input ends', async () => {
    const [kept, dropped] = [watched(), watched()];
    const shell = guardian();
    const [keptEnd, shellEnd] = [endOf(kept), endOf(shell)];
    shell.stdin.end(`add TERM ${kept.pid}\nadd TERM ${dropped.pid}\ndrop - ${dropped.pid}\n`);
    expect(await keptEnd).toBe('SIGTERM');
    await shellEnd;
    expect(dropped.signalCode).toBeNull();
    const droppedEnd = endOf(dropped);
    dropped.kill();
    await droppedEnd;
  });

  it('touches nothing once it is dismissed', async () => {
    const child = watched();
    const shell = guardian();
    const shellEnd = endOf(shell);
    shell.stdin.end(`add TERM ${child.pid}\ndone - -\n`);
    await shellEnd;
    expect(child.signalCode).toBeNull();
    const childEnd = endOf(child);
    child.kill();
    await childEnd;
  });
});
