import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The process's resident memory in MB (10^6 bytes), from /proc where there is one, else from ps. */
export async function residentMb(pid: number): Promise<number> {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return kibToMb(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return kibToMb(stdout.trim());
}

function kibToMb(kib: string | undefined): number {
  const count = Number(kib);
  if (!Number.isFinite(count)) throw new Error(`The memory of a process is a number, not "${kib}"`);
  return (count * 1_024) / 1_000_000;
}
