import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepareEmbeddedPostgres } from '../postgres/embedded-postgres.js';
import { ProcessGroup } from '../processes/process-group.js';
import { StartError } from '../start-error.js';

/**
 * `node dist/tools/dev/cluster/main.js FOLDER [SETTING=VALUE…]`: makes an empty cluster of the embedded Postgres there, and prints
 * in its last line how its server is started, as JSON. For tests that start, copy and kill servers of their own.
 */
const [folder, ...settings] = process.argv.slice(2);
const group = new ProcessGroup(undefined, (name) => process.stderr.write(`${name} ended unexpectedly\n`));
try {
  if (!folder) throw new StartError('Usage: main.js FOLDER [SETTING=VALUE…]');
  const where = resolve(folder);
  mkdirSync(where, { recursive: true });
  const cluster = await prepareEmbeddedPostgres(group, {
    folder: where,
    logFile: join(where, 'initdb.log'),
    settings,
  });
  const { uid, gid, cwd } = cluster.runAs;
  process.stdout.write(`${JSON.stringify({ ...cluster, runAs: { uid, gid, cwd } })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await group.stopAll();
}
