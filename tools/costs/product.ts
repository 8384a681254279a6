import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { signedForm } from '../bench/parts/webhooks.js';
import { insertAccounts } from '../bench/product/database.js';
import { ask } from '../testkit/ask.js';
import { Carrier } from '../testkit/carrier.js';
import { freePorts } from '../testkit/ports.js';
import { productEnvironment } from '../testkit/product-environment.js';
import { answersOk, Program, runNode } from '../testkit/program.js';
import { answersPing, redisProgram } from '../testkit/redis.js';
import { databaseUrl } from '../testkit/template-database.js';
import { until } from '../testkit/until.js';
import { readLog, type LogCounts } from './log.js';
import type { ProbeCounts } from './probe.js';
import { postgresStatements, smppPdus, Wire } from './wire.js';

const ACCOUNTS = 8;
const QUEUE_PREFIX = 'costs';
/** Pause in the traffic after which everything that a message causes has happened. */
const QUIET_MS = 250;
/** Receipts come after the worker has recorded that a message is sent, as with real carriers. */
const RECEIPT_DELAY_MS = 200;
const READY_WITHIN_MS = 90_000;

/** Counts of the product's actions while some work ran. */
export interface Counted {
  /** Statements by name, or by the start of the text in quotes. */
  readonly statements: ReadonlyMap<string, number>;
  readonly log: LogCounts;
  readonly redis: { readonly commands: number; readonly bytes: number };
  readonly jobs: number;
  readonly pdus: ReadonlyMap<string, number>;
  readonly server: ProbeCounts;
  readonly worker: ProbeCounts;
}

export interface SetUp {
  readonly name: string;
  /** Number of carriers that get messages. */
  readonly used: number;
  /** Settings of the carriers, given the ports of the sandbox: HTTP, and the relay to its SMSC. */
  readonly carriers: (sandbox: number, smsc: number) => Record<string, string>;
  /** Words of a command that the operator runs before the product starts. */
  readonly command?: readonly string[];
}

/** Folders and stores that all products of a run share. */
export interface Place {
  /** Folder of the built product. */
  readonly dist: string;
  /** Folder for logs. */
  readonly folder: string;
  readonly serverUrl: string;
  readonly template: string;
}

/** Server, worker and sandbox over a database and a Redis of their own, watched on every side. */
export class WatchedProduct {
  // oxlint-disable-next-line max-params -- `start` has made these parts; they are named once more, here.
  private constructor(
    readonly url: string,
    /** Number of carriers that get messages. */
    readonly used: number,
    readonly apiKeys: readonly string[],
    readonly carrier: Carrier,
    /** A connection of the check's own, which is not counted. */
    readonly sql: Client,
    /** The texts of the named statements that have run. */
    readonly texts: ReadonlyMap<string, string>,
    /** A key of the first account, named and with a budget. */
    readonly budgetKey: string,
    private readonly twilioToken: string,
    private readonly redis: Redis,
    private readonly wires: { readonly postgres: Wire; readonly smsc: Wire },
    private readonly probes: Readonly<Record<'server' | 'worker', string>>,
    private readonly programs: readonly Program[],
  ) {}

  static async start(
    { name, used, carriers, command }: SetUp,
    { dist, folder, serverUrl, template }: Place,
  ): Promise<WatchedProduct> {
    const [server = 0, worker = 0, sandbox = 0, smtp = 0, smsc = 0, redis = 0, serverProbe = 0, workerProbe = 0] =
      await freePorts(8);
    const database = `costs_${randomBytes(6).toString('hex')}`;
    const owner = new Client({ connectionString: databaseUrl(serverUrl, 'postgres') });
    await owner.connect();
    await owner.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
    await owner.end();
    const url = databaseUrl(serverUrl, database);
    const texts = new Map<string, string>();
    const postgres = await Wire.to(Number(new URL(url).port), { ofClient: () => postgresStatements(texts) });
    const relayed = new URL(url);
    relayed.port = String(postgres.port);
    const smscWire = await Wire.to(smsc, { ofClient: smppPdus, ofServer: smppPdus });
    const env = productEnvironment({ redis, sandbox, smtp, servers: [server] }, relayed.href, {
      receiptDelayMs: RECEIPT_DELAY_MS,
      env: {
        ...carriers(sandbox, smscWire.port),
        QUEUE_PREFIX,
        SANDBOX_SMPP_PORT: String(smsc),
        ALLOW_PRIVATE_WEBHOOKS: 'true',
        MEDIA_DIR: join(folder, `media-${database}`),
        // The default times: the probe does not hold back the shorter times of tests.
        RECOVERY_INTERVAL_MS: '10000',
        DISPATCH_LEASE_SECONDS: '60',
        CARRIER_TIMEOUT_MS: '10000',
        PORT: String(server),
        WORKER_PORT: String(worker),
      },
    });
    const sql = new Client({ connectionString: url });
    await sql.connect();
    const programs: Program[] = [];
    const start = (program: string, port?: number) => {
      const probe = port === undefined ? [] : ['--import', join(dist, 'tools/costs/probe.js')];
      const started = new Program({
        name: program,
        command: process.execPath,
        args: [...probe, join(dist, program, 'main.js')],
        env: { ...env, ...(port !== undefined && { PROBE_PORT: String(port) }) },
        logFile: join(folder, `${name.replaceAll(' ', '-')}-${program}.log`),
        detached: true,
      });
      programs.push(started);
      return started;
    };
    try {
      const store = redisProgram(redis, { logFile: join(folder, 'redis.log'), detached: true });
      programs.push(store);
      await store.ready(() => answersPing(redis));
      const hashSecret = Buffer.from(env['API_KEY_HASH_SECRET'] ?? '', 'base64');
      const apiKeys = await insertAccounts(sql, ACCOUNTS, hashSecret);
      if (command) {
        const { code, errors } = await runNode(
          join(dist, 'admin/main.js'),
          ['--as', 'costs', ...command],
          env,
          READY_WITHIN_MS,
        );
        if (code !== 0) throw new Error(`admin ${command.join(' ')} failed: ${errors}`);
      }
      const looks: [Program, string][] = [
        [start('sandbox'), `http://127.0.0.1:${sandbox}/_control/faults`],
        [start('server', serverProbe), `http://127.0.0.1:${server}/readyz`],
        [start('worker', workerProbe), `http://127.0.0.1:${worker}/readyz`],
      ];
      await Promise.all(looks.map(([program, path]) => program.ready(() => answersOk(path), READY_WITHIN_MS)));
      return new WatchedProduct(
        `http://127.0.0.1:${server}`,
        used,
        apiKeys,
        new Carrier(`http://127.0.0.1:${sandbox}`),
        sql,
        texts,
        await insertBudgetKey(sql, hashSecret),
        env['TWILIO_AUTH_TOKEN'] ?? '',
        new Redis(redis, '127.0.0.1', { maxRetriesPerRequest: 1 }),
        { postgres, smsc: smscWire },
        { server: `http://127.0.0.1:${serverProbe}`, worker: `http://127.0.0.1:${workerProbe}` },
        programs,
      );
    } catch (error) {
      await sql.end();
      for (const program of programs.reverse()) await program.stop('SIGKILL');
      throw error;
    }
  }

  post<T = { readonly message_id: string }>(path: string, body: object): Promise<T> {
    return ask<T>(`${this.url}${path}`, body, 30_000);
  }

  /** Returns the answer's text. */
  async text(path: string, body: object): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${this.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  }

  /** Uploads a file of the first account and returns its id. */
  async upload(file: Blob): Promise<string> {
    const form = new FormData();
    form.append('file', file, 'picture.png');
    const headers = { authorization: `Bearer ${this.apiKeys[0]}` };
    const answer = await fetch(`${this.url}/api/media`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { media_id: string }).media_id;
  }

  /** Posts a signed status callback, as Twilio does. */
  async receipt(url: string, sid: string, status: string): Promise<void> {
    const fields = { MessageSid: sid, MessageStatus: status, SmsSid: sid, SmsStatus: status };
    const { body, headers } = signedForm({ authToken: this.twilioToken }, url, fields);
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The receipt was answered ${answer.status}`);
  }

  /** Keeps schedules, renewals and time limits of server and worker from running, until `thaw`. */
  async freeze(): Promise<void> {
    await this.tell('/freeze');
    await this.untilQuiet();
  }

  async thaw(): Promise<void> {
    await this.tell('/thaw');
  }

  /** Hands requests that come together to the server at once, so that batches depend less on the machine. */
  async together(work: () => Promise<unknown>): Promise<void> {
    await ask(`${this.probes.server}/hold`);
    try {
      await work();
    } finally {
      await ask(`${this.probes.server}/release`);
    }
  }

  /** Counts what the product does from the start of the work until nothing more happens. */
  async count(work: () => Promise<unknown>): Promise<Counted> {
    const { postgres, smsc } = this.wires;
    await this.untilQuiet();
    const [from, jobs, redis] = [await this.logEnd(), await this.jobs(), await this.redisWork()];
    postgres.reset();
    smsc.reset();
    await this.tell('/begin');
    await work();
    await this.untilQuiet();
    const [server, worker] = await Promise.all(
      [this.probes.server, this.probes.worker].map((probe) => ask<ProbeCounts>(`${probe}/end`)),
    );
    if (!server || !worker) throw new Error('A probe gave no answer');
    const redisAfter = await this.redisWork();
    return {
      statements: new Map(postgres.counts),
      log: await readLog(this.sql, from, await this.logEnd()),
      // Without the question itself.
      redis: { commands: redisAfter.commands - redis.commands - 1, bytes: redisAfter.bytes - redis.bytes },
      jobs: (await this.jobs()) - jobs,
      pdus: new Map(smsc.counts),
      server,
      worker,
    };
  }

  /** Waits until every message that is due is final. */
  async untilFinal(): Promise<void> {
    const isSo = async () => {
      const { rows } = await this.sql.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM messages WHERE status IN ('queued', 'sending', 'sent')`,
      );
      return rows[0]?.open === 0;
    };
    await until('every message is final', isSo, { timeoutMs: 60_000, everyMs: 25 });
  }

  async lastCarrier(): Promise<string> {
    const { rows } = await this.sql.query<{ carrier: number | null }>(
      'SELECT carrier FROM messages ORDER BY created_at DESC LIMIT 1',
    );
    const carrier = rows[0]?.carrier ?? carrierNumbers.twilio;
    return Object.entries(carrierNumbers).find(([, number]) => number === carrier)?.[0] ?? 'smpp';
  }

  async stop(): Promise<void> {
    await this.thaw().catch(() => undefined);
    this.redis.disconnect();
    await this.sql.end();
    for (const program of [...this.programs].reverse()) await program.stop('SIGKILL');
    this.wires.postgres.close();
    this.wires.smsc.close();
  }

  /** Waits until no traffic passes. */
  async untilQuiet(): Promise<void> {
    const { postgres, smsc } = this.wires;
    const quietForMs = () => performance.now() - Math.max(postgres.lastAtMs, smsc.lastAtMs);
    while (quietForMs() < QUIET_MS) await pause(QUIET_MS - quietForMs() + 1);
  }

  private async tell(command: string): Promise<void> {
    await Promise.all([ask(`${this.probes.server}${command}`), ask(`${this.probes.worker}${command}`)]);
  }

  private async logEnd(): Promise<string> {
    const { rows } = await this.sql.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    return rows[0]?.lsn ?? '';
  }

  /** BullMQ numbers the jobs of each queue. Source: https://docs.bullmq.io/guide/architecture */
  private async jobs(): Promise<number> {
    const keys = await this.redis.keys(`{${QUEUE_PREFIX}}:*:id`);
    const numbers = keys.length === 0 ? [] : await this.redis.mget(keys);
    return numbers.reduce((sum, number) => sum + Number(number), 0);
  }

  /** Counts commands of scripts too. */
  private async redisWork(): Promise<{ commands: number; bytes: number }> {
    const info = await this.redis.info('everything');
    const calls = [...info.matchAll(/^cmdstat_[^:]+:calls=(\d+)/gm)].map(([, count]) => Number(count));
    return {
      commands: calls.reduce((sum, count) => sum + count, 0),
      bytes: Number(/^total_net_input_bytes:(\d+)/m.exec(info)?.[1]),
    };
  }
}

/** Returns the key. */
async function insertBudgetKey(client: Client, hashSecret: Buffer): Promise<string> {
  const key = randomUUID();
  await client.query(
    `WITH first AS (SELECT id FROM accounts ORDER BY email LIMIT 1),
     key AS (
       INSERT INTO api_keys (account_id, name, credits_per_day) SELECT id, 'Budget', 1000000 FROM first
       RETURNING id, account_id
     )
     INSERT INTO key_secrets (hash, key_id, account_id, ending) SELECT $1, id, account_id, '0000' FROM key`,
    [createHmac('sha256', hashSecret).update(key).digest()],
  );
  return key;
}
