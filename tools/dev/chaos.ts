import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Installer } from './checks/installer.js';
import { makeScratchFolder, removeScratchFolder } from './checks/scratch-folder.js';
import { redisForTests } from './checks/test-tools.js';
import { say } from './line-log.js';
import { prepareEmbeddedPostgres } from './postgres/embedded-postgres.js';
import { ProcessGroup } from './processes/process-group.js';
import { stopOnSignals } from './shutdown.js';
import { StartError } from './start-error.js';

// Servers and workers may take their time to end, each kind after the other.
const stopBoundMs = 90_000;

/**
 * `npm run chaos`: a cluster of Postgres and a Redis of the run's own, which it may kill, whatever DATABASE_URL and REDIS_URL
 * say; then the run of chaos/.
 */
export async function main({ root, args }: { root: string; args: string[] }): Promise<void> {
  const folder = makeScratchFolder();
  const group = new ProcessGroup(undefined, (name) => say('chaos', `${name} ended unexpectedly`));
  stopOnSignals(group, () => void group.stopAll());
  let code: number | null = 1;
  try {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    await redisForTests(new Installer(group));
    const postgres = await prepareEmbeddedPostgres(group, {
      folder,
      logFile: join(folder, 'logs', 'initdb.log'),
      settings: ['max_connections=200'],
    });
    const { uid, gid, cwd } = postgres.runAs;
    const run = await group.spawn({
      name: 'chaos',
      command: process.execPath,
      args: [join(root, 'dist/e2e/resilience/chaos/main.js'), ...args],
      env: { CHAOS_POSTGRES: JSON.stringify({ ...postgres, runAs: { uid, gid, cwd } }) },
      cwd: root,
      kind: 'task',
      stopRank: 0,
      stopSignal: 'SIGTERM',
      stopBoundMs,
      onOutput: (stdout, stderr) => {
        stdout.pipe(process.stdout, { end: false });
        stderr.pipe(process.stderr, { end: false });
      },
    });
    code = (await run.ended).code;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
  } finally {
    await group.stopAll();
    removeScratchFolder(folder);
  }
  process.exit(code ?? 1);
}
