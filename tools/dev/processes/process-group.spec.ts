import { isAlive, identify } from './process-identity.js';
import { ProcessGroup, type ProcessSpec } from './process-group.js';

const node = (script: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  name: 'child',
  command: process.execPath,
  args: ['-e', script],
  kind: 'service',
  stopRank: 1,
  stopSignal: 'SIGTERM',
  stopBoundMs: 5_000,
  onOutput: (stdout) => stdout.resume(),
  ...more,
});
const forever = 'setInterval(() => {}, 1000)';

/** A child that has said that its signal handlers stand. */
async function readyChild(group: ProcessGroup, script: string, more: Partial<ProcessSpec> = {}) {
  let isReady: Promise<unknown> = Promise.resolve();
  const child = await group.spawn(
    node(`${script}; console.log('ready')`, {
      ...more,
      onOutput: (stdout) => {
        isReady = new Promise((resolve) => stdout.once('data', resolve));
      },
    }),
  );
  await isReady;
  return child;
}

describe('ProcessGroup', () => {
  it('stops by rank, the lowest first', async () => {
    const group = new ProcessGroup(undefined, () => undefined);
    const order: string[] = [];
    for (const [name, stopRank] of [
      ['database', 2],
      ['server', 1],
    ] as const) {
      const child = await group.spawn(node(forever, { name, stopRank }));
      void child.ended.then(() => order.push(name));
    }
    await group.stopAll();
    expect(order).toEqual(['server', 'database']);
  });

  it('ends a child by force that does not want to stop', async () => {
    const group = new ProcessGroup(undefined, () => undefined);
    const child = await readyChild(group, `process.on('SIGTERM', () => {}); ${forever}`, { stopBoundMs: 200 });
    await group.stopAll();
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('tells of a service that dies, but not of one that it stopped itself', async () => {
    const deaths: string[] = [];
    const group = new ProcessGroup(undefined, (name, { code }) => deaths.push(`${name} ${code}`));
    const dying = await group.spawn(node('process.exit(3)', { name: 'server' }));
    await group.spawn(node(forever, { name: 'worker' }));
    await dying.ended;
    await group.stopAll();
    expect(deaths).toEqual(['server 3']);
  });

  it('starts nothing any more while it stops', async () => {
    const group = new ProcessGroup(undefined, () => undefined);
    const stopped = group.stopAll();
    await expect(group.spawn(node(forever))).rejects.toThrow('everything is being stopped');
    await stopped;
  });

  it('says that a command is not there', async () => {
    const group = new ProcessGroup(undefined, () => undefined);
    await expect(group.spawn(node('', { command: '/no/such/program' }))).rejects.toThrow('ENOENT');
    await group.stopAll();
  });

  it('leaves no process behind', async () => {
    const group = new ProcessGroup(undefined, () => undefined);
    const children = await Promise.all([group.spawn(node(forever)), group.spawn(node(forever))]);
    await group.stopAll();
    expect(children.map(({ pid }) => identify(pid)).filter((identity) => identity && isAlive(identity))).toEqual([]);
  });
});
