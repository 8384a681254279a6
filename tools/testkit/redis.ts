import { accessSync, constants } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { Program } from './program.js';

const names = ['redis-server', 'valkey-server'];

/** A Redis of a test's own on a port, which forgets everything when it ends. */
export function startRedis(port: number, logFile: string): Promise<Program> {
  return redisProgram(port, logFile).ready(() => answersPing(port));
}

/** The same before it is ready; `settings` are more of redis.conf. */
export function redisProgram(
  port: number,
  logFile: string,
  detached = false,
  settings: Readonly<Record<string, string>> = {},
): Program {
  const all = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  return new Program({ name: 'redis', command: findRedis(), args, logFile, detached });
}

function findRedis(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (!found)
    throw new Error('There is no redis-server on the PATH, and a test kills one of its own: install redis-server.');
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a Redis on this port of loopback does its work. */
export function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, timeout: 1_000 });
    const answer = (isGood: boolean) => {
      socket.destroy();
      resolve(isGood);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
