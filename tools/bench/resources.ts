import { existsSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { Client } from 'pg';
import { pidOf } from '../testkit/postgres.js';
import { run, StartError } from '../testkit/program.js';

// USER_HZ, the same on every architecture that Node runs on:
// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
const msPerTick = 10;
const psBoundMs = 10_000;

/** The process's resident memory in MB (10^6 bytes), from /proc where it exists, else from ps. */
export async function residentMb(pid: number): Promise<number> {
  const status = `/proc/${pid}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : (await run('ps', ['-o', 'rss=', '-p', String(pid)], { timeoutMs: psBoundMs })).output.trim();
  if (!kib) throw new Error(`Process ${pid} has ended`);
  return (Number(kib) * 1_024) / 1_000_000;
}

/** The most resident memory that the process has had, in MB (10^6 bytes). Linux only. */
export function peakMb(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1_000_000;
}

/** CPU time by name, in ms. */
export type CpuTimes = Readonly<Record<string, number>>;

/**
 * Measures the CPU time of processes with their children from now on. Throws StartError without
 * Linux's /proc.
 */
export function startCpuMeter(pids: Readonly<Record<string, number>>): () => CpuTimes {
  if (!existsSync('/proc/self/stat')) throw new StartError('CPU time is read from /proc, which only Linux has.');
  const read = () => Object.entries(pids).map(([name, pid]) => [name, cpuMsOf(pid)] as const);
  const before = new Map(read());
  return () => Object.fromEntries(read().map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
}

/**
 * User and system time of a process, of its children, and of children that ended. A child that ends
 * meanwhile counts the next time.
 */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  // The name in parentheses may contain spaces. After it come the fields from the third on; 14 to
  // 17 are times.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  const own = ticks.reduce((sum, text) => sum + Number(text), 0) * msPerTick;
  return children.reduce((sum, id) => sum + childCpuMs(Number(id)), own);
}

function childCpuMs(pid: number): number {
  try {
    return cpuMsOf(pid);
  } catch (error) {
    // The process has ended: ESRCH while its file is being read.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0;
    throw error;
  }
}

/** The process of a Postgres server on this machine. Its user must be a superuser. */
export async function postgresPid(client: Client): Promise<number> {
  const { rows } = await client.query<{ lock: string }>(`SELECT pg_read_file('postmaster.pid') AS lock`);
  const pid = pidOf(rows[0]?.lock ?? '');
  if (pid === undefined) throw new Error('postmaster.pid begins with the number of the process');
  return pid;
}

/** Fields of Redis's INFO (https://redis.io/docs/latest/commands/info/). */
export async function redisInfo(url: string): Promise<(field: string) => string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  await redis.connect();
  try {
    const info = await redis.info();
    return (field) => new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}
