import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { talk } from './ports.js';
import { Program, StartError, type ProgramOptions } from './program.js';

/** The full path of the first of these commands on the PATH, or undefined. */
export function findCommand(...names: string[]): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    // Debian's servers, which the PATH of ordinary users omits.
    '/usr/sbin',
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a server for the Redis protocol, if this machine has one. */
export function findRedis(): string | undefined {
  return findCommand('redis-server', 'valkey-server');
}

interface RedisOptions extends Pick<ProgramOptions, 'detached' | 'stopBoundMs'> {
  readonly logFile: string;
  /** More lines of redis.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A Redis on a port of loopback, in memory unless the settings say otherwise; not ready yet. Throws
 * StartError without redis-server.
 */
export function redisProgram(port: number, { settings, ...options }: RedisOptions): Program {
  const command = findRedis();
  if (!command) throw new StartError('There is no redis-server: install it (apt-get or brew), or set REDIS_URL.');
  // BullMQ's jobs must not be evicted.
  const usual = { bind: '127.0.0.1', save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' };
  const args = Object.entries({ port: String(port), ...usual, ...settings }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  return new Program({ name: 'redis', command, args, ...options });
}

/** Starts a Redis and waits until it answers. */
export function startRedis(port: number, logFile: string): Promise<Program> {
  return redisProgram(port, { logFile }).ready(() => answersPing(port));
}

/**
 * Whether a Redis on this port of loopback answers; while it loads its file at the start it does
 * not.
 */
export function answersPing(port: number): Promise<boolean> {
  return talk({ host: '127.0.0.1', port }, 'PING\r\n', '+PONG');
}

/**
 * Deletes everything that a Redis on this port of loopback has. Throws when it does not confirm
 * that.
 */
export async function flushRedis(port: number): Promise<void> {
  if (!(await talk({ host: '127.0.0.1', port }, 'FLUSHALL\r\n', '+OK'))) throw new Error('Redis was not flushed');
}

/** Throws StartError with host and remedy when nothing listens at a Redis URL. */
export async function checkRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  if (await talk({ host: hostname, port: Number(port || 6379) })) return;
  throw new StartError(
    `Cannot reach Redis at ${hostname}:${port || 6379}: start it there, or unset REDIS_URL to do without.`,
  );
}
