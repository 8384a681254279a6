import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When the kernel says it began: clock ticks since boot on Linux, a date elsewhere. Compared only. */
  startedAt: string;
}

/** The identity of a running process, or undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : psField(pid, 'lstart=');
  return startedAt ? { pid, startedAt } : undefined;
}

/** Whether this very process still runs. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return identify(pid)?.startedAt === startedAt;
}

/** The command line of a running process, or undefined when there is none. */
export function commandOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return psField(pid, 'command=');
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ').trim();
}

// /proc/<pid>/stat: the name in brackets may hold spaces, so counting begins behind it; field 3 is the state, field 22 the
// start (proc(5)). A zombie has ended and only waits to be collected.
function linuxStart(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended: that is the answer, not a fault.
    return undefined;
  }
}

function psField(pid: number, field: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}
