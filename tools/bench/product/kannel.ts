import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../testkit/ports.js';
import type { Program } from '../../testkit/program.js';
import { findCommand } from '../../testkit/redis.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';

const drainBoundMs = 600_000;

/** Kannel (https://www.kannel.org/), an SMS gateway in C, with one connection to an SMS center. */
export interface Kannel {
  readonly bearerbox: Program;
  readonly smsbox: Program;
  /** Whether its page of statuses shows something. */
  readonly shows: (pattern: RegExp) => () => Promise<boolean>;
  /** URL that sends a message. */
  readonly sendUrl: (message: { readonly from: string; readonly to: string; readonly text: string }) => string;
  /** Waits until it has sent all. */
  readonly drain: () => Promise<void>;
}

export const isKannelInstalled = () => ['bearerbox', 'smsbox'].every((name) => findCommand(name) !== undefined);

/** Runs work with Kannel; `smsc` is the group of its configuration that names the SMS center. */
export async function withKannel(bench: Bench, smsc: string, work: (kannel: Kannel) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-kannel-'));
  try {
    await runKannel(bench, smsc, folder, work);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runKannel(
  { children, signal }: Bench,
  smsc: string,
  folder: string,
  work: (kannel: Kannel) => Promise<void>,
): Promise<void> {
  const [admin = 0, boxes = 0, http = 0] = await freePorts(3);
  const configuration = join(folder, 'kannel.conf');
  mkdirSync(join(folder, 'spool'));
  writeFileSync(configuration, configurationOf({ admin, boxes, http }, smsc, folder));
  const status = async () => (await fetch(`http://127.0.0.1:${admin}/status.txt?password=bench`)).text();
  const shows = (pattern: RegExp) => async () => pattern.test(await status().catch(() => ''));
  const command = (name: string) => findCommand(name) ?? name;
  // Only errors here; the rest goes to the log files, as in production.
  const args = ['-v', '4', configuration];
  const bearerbox = await children.start({ name: 'bearerbox', command: command('bearerbox'), args }, shows(/running/));
  const smsbox = await children.start({ name: 'smsbox', command: command('smsbox'), args }, shows(/smsbox:/));
  const isDrained = shows(/sent (\d+) \(0 queued\), store size 0/);
  const login = { username: 'bench', password: 'bench' };
  await work({
    bearerbox,
    smsbox,
    shows,
    sendUrl: (message) => `http://127.0.0.1:${http}/cgi-bin/sendsms?${new URLSearchParams({ ...login, ...message })}`,
    drain: async () => void (await until('Kannel has sent all', isDrained, { timeoutMs: drainBoundMs, signal })),
  });
  for (const program of [smsbox, bearerbox]) await children.stop(program);
}

/** https://www.kannel.org/download/1.4.5/userguide-1.4.5/userguide.html */
function configurationOf(port: Record<'admin' | 'boxes' | 'http', number>, smsc: string, folder: string): string {
  return `group = core
admin-port = ${port.admin}
admin-password = bench
smsbox-port = ${port.boxes}
box-allow-ip = 127.0.0.1
store-type = spool
store-location = ${folder}/spool
log-file = ${folder}/bearerbox.log
log-level = 1

${smsc}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${port.http}
log-file = ${folder}/smsbox.log
log-level = 1

group = sendsms-user
username = bench
password = bench
`;
}
