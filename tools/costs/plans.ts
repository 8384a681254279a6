import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { databaseUrl } from '../testkit/template-database.js';
import { type Figures, withoutVersion } from './figures.js';

const MONTHS = 24;
const MESSAGES = 100_000;
/** Number of accounts, numbers, opt-outs and rows of each other table. */
const ROWS = 10_000;

export interface PlanReport {
  /** Steps of each statement's plan while the tables are empty, by name. */
  readonly steps: Figures;
  /** Statements that read a whole table which grows. */
  readonly faults: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Numbers of messages with which tables are young: connections prepare their statements then, without statistics. */
const YOUNG = [0, 300, 1_000, 5_000];
/** Number of messages at which the plans of that time are read. */
const GROWN = 20_000;

/**
 * Plans each statement as connections that prepare it on the first days, and as a connection after
 * two years. On the first day a whole table is a page; the plan stays when the table has grown.
 */
export async function checkPlans(
  texts: ReadonlyMap<string, string>,
  { serverUrl, template }: { readonly serverUrl: string; readonly template: string },
): Promise<PlanReport> {
  const database = `plans_${randomBytes(6).toString('hex')}`;
  const owner = new Client({ connectionString: databaseUrl(serverUrl, 'postgres') });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  await owner.end();
  const client = new Client({ connectionString: databaseUrl(serverUrl, database) });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    const faults: string[] = [];
    for (const [index, count] of YOUNG.entries()) {
      await fill(client, YOUNG[index - 1] ?? 0, count);
      await prepareAll(client, texts, `${count}`);
      await plansOf(client, texts, `${count}`);
    }
    const steps = await plansOf(client, texts, `${YOUNG[0]}`);
    await fill(client, YOUNG.at(-1) ?? 0, GROWN);
    for (const count of YOUNG)
      faults.push(...faultsOf(await plansOf(client, texts, `${count}`), growing, `prepared beside ${count} messages`));
    await createMonths(client);
    await fill(client, GROWN, MESSAGES);
    await analyze(client);
    await prepareAll(client, texts, 'large');
    faults.push(...faultsOf(await plansOf(client, texts, 'large'), filled, 'prepared on large tables'));
    return {
      steps: Object.fromEntries([...steps].map(([name, nodes]) => [`steps of ${withoutVersion(name)}`, nodes.length])),
      faults,
    };
  } finally {
    await client.end();
  }
}

async function prepareAll(client: Client, texts: ReadonlyMap<string, string>, when: string): Promise<void> {
  for (const [name, text] of texts) await client.query(`PREPARE "${name} ${when}" AS ${text}`);
}

/** The nodes of each statement's plan; the plan of the first call is kept. Nothing is executed. */
async function plansOf(
  client: Client,
  texts: ReadonlyMap<string, string>,
  when: string,
): Promise<Map<string, PlanNode[]>> {
  const plans = new Map<string, PlanNode[]>();
  for (const [name, text] of texts) {
    const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'NULL').join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE "${name} ${when}"${values}`,
    );
    plans.set(
      name,
      rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)),
    );
  }
  return plans;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function faultsOf(
  plans: ReadonlyMap<string, readonly PlanNode[]>,
  tables: ReadonlySet<string>,
  when: string,
): string[] {
  return [...plans].flatMap(([name, nodes]) => {
    const read = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? '') : []));
    const whole = [...new Set(read.map(tableOf).filter((table) => tables.has(table)))];
    return whole.map((table) => `${name}, ${when}, reads all of ${table}`);
  });
}

/** Months' partitions count for their table. */
const tableOf = (relation: string) => relation.replace(/^messages_.*/, 'messages');

/** Tables that grow with each message, faster than new statistics replace plans. */
const growing = new Set([
  'messages',
  'message_attempts',
  'carrier_matches',
  'conversation_owners',
  'conversations',
  'delivery_days',
  'ledger_entries',
]);
/** Tables that grow with accounts. */
const filled = new Set([
  ...growing,
  'accounts',
  'api_keys',
  'key_secrets',
  'credit_accounts',
  'daily_counts',
  'numbers',
  'opt_outs',
]);

/** A number of the United States for each row. */
const recipient = `'+1646' || lpad(n::text, 7, '0')`;
const account = `('00000000-0000-4000-8000-' || lpad((n % ${ROWS})::text, 12, '0'))::uuid`;
/**
 * UUIDv7 with the row's time: one row in each of the last seconds of this month, because a young database has no
 * partition of the month before; then rows over the months.
 */
const messageId = `(
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') ||
    '8' || lpad(to_hex(n), 15, '0'))::uuid
  FROM (
    SELECT greatest(now() - make_interval(secs => least(n, ${GROWN})),
        date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
      - make_interval(secs => greatest(0, n - ${GROWN}) * ${MONTHS}::float8 * 2592000 / ${MESSAGES - GROWN}) AS at
  ) t
)`;

async function createMonths(client: Client): Promise<void> {
  await client.query(
    `SELECT ensure_message_partitions(
       ((now() AT TIME ZONE 'UTC')::date - interval '${MONTHS} months')::date, ${MONTHS}
     )`,
  );
}

/** Adds messages, the latest first, and as many rows of other tables, up to {@link ROWS}. */
async function fill(client: Client, from: number, to: number): Promise<void> {
  for (const statement of fillings(from, to)) await client.query(statement);
}

/** Analyzes as autovacuum does, which skips the months to come. */
async function analyze(client: Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`,
  );
  for (const { name } of tables) await client.query(`ANALYZE ${name}`);
}

const rows = (from: number, to: number) => `FROM generate_series(${from} + 1, ${to}) AS n`;
const fillings = (from: number, to: number) => [
  `INSERT INTO accounts (id, email, sign_in_type)
   SELECT ${account}, n || '@pennytext.example', 'custom' ${rows(from, Math.min(to, ROWS))}`,
  `INSERT INTO api_keys (id, account_id, is_default) SELECT id, id, true FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO key_secrets (hash, key_id, account_id, ending)
   SELECT sha256(id::text::bytea), id, id, '0000' FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO credit_accounts (account_id, balance, purchased, used, ledger_count)
   SELECT id, 9, 9, 0, 1 FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
   SELECT id, 1, 9, 9, 'signup', id::text FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO daily_counts (account_id, day, count, last_granted)
   SELECT id, current_date, 1, 1 FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO delivery_days (account_id, day, country, key_id, reason, messages)
   SELECT id, current_date, 'US', id, '', 1 FROM accounts ON CONFLICT DO NOTHING`,
  `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status,
     carrier_id)
   SELECT ${messageId}, ${account}, n, 'sms', ${recipient}, 'US', '+15005550006', 'Text', 1, 1, 'delivered', 'SM' || n
   ${rows(from, to)}`,
  `INSERT INTO numbers (number, account_id) SELECT ${recipient}, ${account} ${rows(from, Math.min(to, ROWS))}`,
  `INSERT INTO opt_outs (recipient, sender, shared)
   SELECT ${recipient}, '+15005550006', true ${rows(from, Math.min(to, ROWS))}`,
  `INSERT INTO message_attempts (account_id, message_id, n, current, carrier, sender, reason)
   SELECT account_id, id, 1, true, 1, sender, 'first' FROM messages ORDER BY id DESC LIMIT ${Math.min(to, ROWS)}
   ON CONFLICT DO NOTHING`,
  `INSERT INTO carrier_matches (carrier_id, message_id)
   SELECT carrier_id, id FROM messages ORDER BY id DESC LIMIT ${Math.min(to, ROWS)} ON CONFLICT DO NOTHING`,
  `INSERT INTO conversation_owners (recipient, sender, account_id)
   SELECT recipient, sender, account_id FROM messages ON CONFLICT DO NOTHING`,
  `INSERT INTO conversations (account_id, recipient, sender)
   SELECT account_id, recipient, sender FROM messages ON CONFLICT DO NOTHING`,
];
