import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { findCommand } from '../find-command.js';
import { freePort } from '../ports.js';
import { readIfThere } from '../read-if-there.js';
import type { ProcessGroup } from '../processes/process-group.js';
import { identify, isAlive, type ProcessIdentity } from '../processes/process-identity.js';
import { stopProcess } from '../processes/stop-process.js';
import { waitUntil } from '../processes/wait-until.js';
import { StartError } from '../start-error.js';

const usualPort = 63790;
const startBoundMs = 30_000;
const stopBoundMs = 10_000;

interface RedisServerOptions {
  folder: string;
  logFile: string;
  stopRank: number;
  appendOnly: boolean;
}

/** A server that speaks Redis' protocol, if this machine has one. */
export function findRedisServer(): string | undefined {
  return findCommand('redis-server', 'valkey-server');
}

/** Starts a Redis of our own on loopback and answers its URL. */
export async function startRedisServer(
  group: ProcessGroup,
  command: string,
  options: RedisServerOptions,
): Promise<string> {
  mkdirSync(options.folder, { recursive: true });
  await stopEarlier(join(options.folder, 'process.json'));
  const portFile = join(options.folder, 'port');
  const port = await freePort(Number(readIfThere(portFile) ?? usualPort), usualPort);
  writeFileSync(portFile, String(port));
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: options.folder,
    appendonly: options.appendOnly ? 'yes' : 'no',
    save: '',
    daemonize: 'no',
    // BullMQ's jobs must not be evicted.
    'maxmemory-policy': 'noeviction',
  };
  const server = await group.spawn({
    name: 'redis',
    command,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    kind: 'service',
    stopRank: options.stopRank,
    stopSignal: 'SIGTERM',
    stopBoundMs,
    onOutput: (stdout, stderr) => {
      const log = createWriteStream(options.logFile, { flags: 'a' });
      stderr.pipe(log, { end: false });
      stdout.pipe(log);
    },
  });
  writeFileSync(join(options.folder, 'process.json'), JSON.stringify(identify(server.pid) ?? null));
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  const isReady = await waitUntil(async () => hasEnded || (await answersPing('127.0.0.1', port)), startBoundMs, 20);
  if (!isReady || hasEnded) throw new StartError(`Redis did not start: see ${options.logFile}.`);
  return `redis://127.0.0.1:${port}`;
}

// Two servers must never write the same files.
async function stopEarlier(file: string): Promise<void> {
  const kept = readIfThere(file);
  const earlier = kept ? (JSON.parse(kept) as ProcessIdentity | null) : null;
  if (earlier && isAlive(earlier)) await stopProcess(earlier, 'SIGTERM', stopBoundMs);
}

/** Throws StartError with host and mend when nothing listens at REDIS_URL. */
export async function checkRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  if (await connects(hostname, Number(port || 6379))) return;
  throw new StartError(
    `Cannot reach Redis at ${hostname}:${port || 6379}: start it there, or unset REDIS_URL to do without.`,
  );
}

// While Redis reads its file at the start it answers PING with -LOADING.
function answersPing(host: string, port: number): Promise<boolean> {
  return talk(host, port, 'PING\r\n', '+PONG');
}

function connects(host: string, port: number): Promise<boolean> {
  return talk(host, port, '', '');
}

function talk(host: string, port: number, request: string, expected: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 3_000 });
    const answer = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    socket.once('connect', () => (request ? socket.write(request) : answer(true)));
    socket.once('data', (data) => answer(data.toString().startsWith(expected)));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
