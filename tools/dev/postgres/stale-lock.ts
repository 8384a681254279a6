import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, identify } from '../processes/process-identity.js';
import { stopProcess } from '../processes/stop-process.js';
import { readIfThere } from '../read-if-there.js';

const stopBoundMs = 15_000;

/**
 * Frees a cluster that an earlier launcher left: a server that still runs on it is stopped (answers true); a pid file whose
 * number some other program has by now is removed. Other stale pid files Postgres recognises itself.
 */
export async function releaseCluster(dataDir: string): Promise<boolean> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = pidOf(readIfThere(pidFile));
  const identity = pid === undefined ? undefined : identify(pid);
  if (!identity) return false;
  if (!isServerOf(commandOf(identity.pid), dataDir)) {
    rmSync(pidFile, { force: true });
    return false;
  }
  await stopProcess(identity, 'SIGINT', stopBoundMs);
  return true;
}

/** The first line of postmaster.pid is the server's process number. */
export function pidOf(pidFile: string | undefined): number | undefined {
  const pid = Number(pidFile?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** Whether a command line is that of a Postgres server on this cluster. */
export function isServerOf(command: string | undefined, dataDir: string): boolean {
  return command?.includes(`postgres -D ${dataDir} `) ?? false;
}
