import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../testkit/ports.js';
import type { Program } from '../../testkit/program.js';
import { query } from '../../testkit/postgres.js';
import { findCommand } from '../../testkit/redis.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';

const drainBoundMs = 600_000;

/** Address for receipts, and which receipts are pushed: 1 deliveries, 2 failures, 3 both. */
interface ReceiptFields {
  readonly 'dlr-url': string;
  readonly 'dlr-mask': string;
}

/** Kannel (https://www.kannel.org/), an SMS gateway in C, with one connection to an SMS center. */
export interface Kannel {
  readonly bearerbox: Program;
  readonly smsbox: Program;
  /** Whether Kannel's page of statuses matches a pattern. */
  readonly shows: (pattern: RegExp) => () => Promise<boolean>;
  /** URL that sends a message. */
  readonly sendUrl: (message: Readonly<Record<'from' | 'to' | 'text', string>> & Partial<ReceiptFields>) => string;
  /** Waits until Kannel has sent all messages. */
  readonly drain: () => Promise<void>;
}

export const isKannelInstalled = () => ['bearerbox', 'smsbox'].every((name) => findCommand(name) !== undefined);

interface KannelWanted {
  /** The group of Kannel's configuration that names the SMS center. */
  readonly smsc: string;
  /** URL of the database of awaited receipts; without it receipts are awaited in memory. */
  readonly receiptsUrl?: string;
}

/**
 * The table of awaited receipts, with an index for the search of each. Kannel deletes rows by their `oid`, which is a
 * column of its own since PostgreSQL 12.
 */
const receiptsTable = `
  CREATE TABLE dlr (
    oid bigserial PRIMARY KEY,
    smsc text, ts text, source text, destination text, service text, url text, mask int, status int, boxc text
  );
  CREATE INDEX ON dlr (ts, smsc)`;

export async function withKannel(
  bench: Bench,
  wanted: KannelWanted,
  work: (kannel: Kannel) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pennytext-kannel-'));
  if (wanted.receiptsUrl !== undefined) await query(wanted.receiptsUrl, receiptsTable);
  try {
    await runKannel(bench, wanted, folder, work);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runKannel(
  { children, signal }: Bench,
  wanted: KannelWanted,
  folder: string,
  work: (kannel: Kannel) => Promise<void>,
): Promise<void> {
  const [admin = 0, boxes = 0, http = 0] = await freePorts(3);
  const configuration = join(folder, 'kannel.conf');
  mkdirSync(join(folder, 'spool'));
  writeFileSync(configuration, configurationOf({ admin, boxes, http }, wanted, folder));
  const status = async () => (await fetch(`http://127.0.0.1:${admin}/status.txt?password=bench`)).text();
  const shows = (pattern: RegExp) => async () => pattern.test(await status().catch(() => ''));
  const command = (name: string) => findCommand(name) ?? name;
  // Standard output has errors only; the rest goes to the log files, as in production.
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

/** The text continues the group `core`. */
function receiptsIn({ hostname, port, username, password, pathname }: URL): string {
  return `dlr-storage = pgsql

group = pgsql-connection
id = receipts
host = ${hostname}
port = ${port || 5432}
username = ${decodeURIComponent(username)}
password = ${decodeURIComponent(password) || 'none'}
database = ${pathname.slice(1)}
max-connections = 4

group = dlr-db
id = receipts
table = dlr
field-smsc = smsc
field-timestamp = ts
field-source = source
field-destination = destination
field-service = service
field-url = url
field-mask = mask
field-status = status
field-boxc-id = boxc
`;
}

/** https://www.kannel.org/download/1.4.5/userguide-1.4.5/userguide.html */
function configurationOf(
  port: Record<'admin' | 'boxes' | 'http', number>,
  { smsc, receiptsUrl }: KannelWanted,
  folder: string,
): string {
  return `group = core
admin-port = ${port.admin}
admin-password = bench
smsbox-port = ${port.boxes}
box-allow-ip = 127.0.0.1
store-type = spool
store-location = ${folder}/spool
log-file = ${folder}/bearerbox.log
log-level = 1
${receiptsUrl === undefined ? '' : receiptsIn(new URL(receiptsUrl))}
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

/** The group of an SMSC of the bench, whose window limits the messages that wait for a response. */
export function smppGroup(port: number, window: number): string {
  return `group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${port}
transceiver-mode = true
smsc-username = bench
smsc-password = bench
system-type = ""
max-pending-submits = ${window}
reconnect-delay = 1
source-addr-ton = 1
source-addr-npi = 1
dest-addr-ton = 1
dest-addr-npi = 1`;
}
