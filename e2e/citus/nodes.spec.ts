import { expect, test } from '@playwright/test';
import { addNode, joinNodes } from '../../tools/testkit/citus.js';
import { CitusCluster } from '../../tools/testkit/citus-cluster.js';
import { query } from '../../tools/testkit/postgres.js';
import { until } from '../../tools/testkit/until.js';
import { differentMessages, flood, type Flood } from '../testing/flood.js';
import { expectEven, expectLedgerClean, settled } from '../testing/invariants.js';
import { Stack, type TestAccount } from '../testing/stack.js';

const DATABASE = 'product';
const SENDS = 150;
const CREDITS = 5_000;
/** Messages of each account in a round; rounds repeat while shards move. */
const ROUND_SENDS = 25;
const AT_ONCE = 5;
const SETTLED_WITHIN_MS = 120_000;

let cluster: CitusCluster;
let stack: Stack;

test.describe.configure({ timeout: 400_000 });

test.beforeAll(async () => {
  cluster = await CitusCluster.start(2);
  const url = databaseOf(cluster.coordinatorUrl);
  await query(cluster.coordinatorUrl, `CREATE DATABASE ${DATABASE}`);
  await joinNodes(url, cluster.nodeUrls, DATABASE);
  stack = await Stack.start({
    servers: 2,
    receiptDelayMs: 500,
    logFolder: test.info().outputPath('logs'),
    database: { url, drop: async () => undefined },
    migrateArguments: ['--distribute', '--shards=8'],
  });
  await stack.startWorker();
});

test.afterAll(async () => {
  await stack?.stop();
  await cluster?.stop();
});

interface Placed extends TestAccount {
  /** Port of the node that has the account. */
  readonly port: number;
}

/** At least this many accounts, some on each node. */
async function accounts(count: number): Promise<Placed[]> {
  const made: Placed[] = [];
  while (made.length < count || new Set(made.map(({ port }) => port)).size < 2) {
    const account = await stack.account(CREDITS);
    made.push({ ...account, port: await portOf(account) });
  }
  return made;
}

async function portOf({ email }: TestAccount): Promise<number> {
  const [account] = await cluster.query<{ id: string }>(DATABASE, 'SELECT id FROM accounts WHERE email = $1', [email]);
  const [row] = await cluster.query<{ port: number }>(
    DATABASE,
    `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
     WHERE p.shardid = get_shard_id_for_distribution_column('accounts', $1::uuid)`,
    [account?.id],
  );
  if (!row) throw new Error('The account has no shard');
  return row.port;
}

function databaseOf(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

function floodOf(account: TestAccount, name: string) {
  return flood(stack.api, differentMessages(SENDS, account.apiKey, name), AT_ONCE);
}

test('kill -9 of a node: its accounts get 503 and lose nothing, the others go on', async () => {
  const all = await accounts(6);
  const nodePort = Number(new URL(cluster.nodeUrls[0] ?? '').port);
  const [hit, spared] = [all.filter(({ port }) => port === nodePort), all.filter(({ port }) => port !== nodePort)];
  expect(Math.min(hit.length, spared.length)).toBeGreaterThan(0);

  const floods = all.map((account) => ({ account, sending: floodOf(account, account.email) }));
  const answered = () => floods.reduce((sum, { sending }) => sum + sending.answered(), 0);
  await until('messages are being accepted', async () => answered() > (SENDS * all.length) / 6, {
    timeoutMs: 60_000,
    everyMs: 10,
  });
  await cluster.crashServer(1);
  const during = await Promise.all(
    hit.map(async ({ apiKey, email }) =>
      stack.api.send({ to: '+14155550100', message: `${email} down`, reference: `${email}-down`, apikey: apiKey }),
    ),
  );
  for (const outcome of during) expect(outcome).toMatchObject({ kind: 'refused', answer: { code: 'unavailable' } });
  for (const { apiKey, email } of spared)
    expect(
      await stack.api.send({ to: '+14155550100', message: `${email} up`, reference: `${email}-up`, apikey: apiKey }),
    ).toMatchObject({ kind: 'accepted' });
  const sent = await Promise.all(floods.map(async ({ account, sending }) => ({ account, sent: await sending.done })));
  for (const { account, sent: results } of sent) {
    const refused = results.filter(({ outcome }) => outcome.kind !== 'accepted');
    if (spared.includes(account)) expect(refused).toEqual([]);
    else expect(refused.length).toBeGreaterThan(0);
  }

  await cluster.startServer(1);
  for (const { account, sent: results } of sent) {
    const messages = await until(
      'the account is back and its messages have ended',
      () => settled(stack, account, SETTLED_WITHIN_MS).catch(() => false as const),
      { timeoutMs: SETTLED_WITHIN_MS, everyMs: 1_000 },
    );
    const known = messages.filter(({ message }) => !/ (up|down)$/.test(message));
    expect(known.length).toBeGreaterThanOrEqual(results.filter(({ outcome }) => outcome.kind === 'accepted').length);
  }
  await expectLedgerClean(stack);
});

test('a third node joins and takes shards while messages are sent: none is lost, doubled or wrongly charged', async () => {
  const all = await accounts(6);
  const url = await cluster.addServer();
  await query(url, `CREATE DATABASE ${DATABASE}`);
  await query(databaseOf(url), 'CREATE EXTENSION citus');
  const moving = new AbortController();
  const rebalanced = (async () => {
    await addNode(databaseOf(cluster.coordinatorUrl), databaseOf(url));
    await cluster.query(DATABASE, `SELECT rebalance_table_shards('accounts', shard_transfer_mode := 'force_logical')`);
  })().finally(() => moving.abort());
  const sent = await Promise.all(
    all.map(async (account) => {
      const results: Awaited<Flood['done']> = [];
      for (let round = 0; !moving.signal.aborted || round === 0; round += 1) {
        const requests = differentMessages(ROUND_SENDS, account.apiKey, `${account.email} ${round}`);
        results.push(...(await flood(stack.api, requests, 2).done));
      }
      return { account, results };
    }),
  );
  await rebalanced;
  // The operator's process, too, has connections to groups that have moved.
  await accounts(12);
  const moved = (await Promise.all(all.map(portOf))).filter((port) => port === Number(new URL(url).port));
  const total = sent.reduce((sum, { results }) => sum + results.length, 0);
  for (const { account, results } of sent) {
    expect(results.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
    await expectEven(stack, account, results, await settled(stack, account, SETTLED_WITHIN_MS));
  }
  const [{ shards } = { shards: 0 }] = await cluster.query<{ shards: number }>(
    DATABASE,
    `SELECT count(*)::int AS shards FROM citus_shards WHERE nodeport = $1 AND table_name = 'accounts'::regclass`,
    [Number(new URL(url).port)],
  );
  expect(shards).toBeGreaterThan(0);
  test.info().annotations.push({
    type: 'moved',
    description: `${shards} of 8 groups, ${moved.length} of ${all.length} accounts, ${total} messages meanwhile`,
  });
  await expectLedgerClean(stack);
});

test('kill -9 of the coordinator: accounts in use go on sending, others get 503 until it is back', async () => {
  const [known, unknown] = await Promise.all([stack.account(CREDITS), stack.account(CREDITS)]);
  // Both servers learn of the account before.
  await flood(stack.api, differentMessages(ROUND_SENDS, known.apiKey, 'before'), AT_ONCE).done;
  await cluster.crashServer(0);
  const sent = await flood(stack.api, differentMessages(SENDS, known.apiKey, 'without coordinator'), AT_ONCE).done;
  const refused = await stack.api.send({ to: '+14155550100', message: 'new', apikey: unknown.apiKey });
  const isReady = await stack.isReady();
  await cluster.startServer(0);
  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  expect(refused).toMatchObject({ kind: 'refused', answer: { code: 'unavailable' } });
  expect(isReady).toBe(false);
  await until('the product is ready again', () => stack.isReady(), { timeoutMs: SETTLED_WITHIN_MS });
  const messages = await settled(stack, known, SETTLED_WITHIN_MS);
  expect(messages).toHaveLength(SENDS + ROUND_SENDS);
  expect(await stack.api.send({ to: '+14155550100', message: 'new', apikey: unknown.apiKey })).toMatchObject({
    kind: 'accepted',
  });
  await expectLedgerClean(stack);
});

test('the standby of a node takes over amid sends: what was accepted exists and is dispatched once', async () => {
  const [url = ''] = cluster.nodeUrls;
  const standbyUrl = await cluster.addStandby(1);
  const port = Number(new URL(url).port);
  const all = (await accounts(6)).filter((account) => account.port === port);
  expect(all.length).toBeGreaterThan(0);
  const requests = new Map(
    all.map((account) => [
      account,
      differentMessages(SENDS, account.apiKey, `${account.email} failover`).map((request) => ({
        ...request,
        idempotencyKey: request.reference ?? '',
      })),
    ]),
  );
  const known = new Set<string>();
  const floods = all.map((account) => flood(stack.api, requests.get(account) ?? [], AT_ONCE));
  const answered = () => floods.reduce((sum, { answered: count }) => sum + count(), 0);
  await until('messages are being accepted', async () => answered() > (SENDS * all.length) / 4, {
    timeoutMs: 60_000,
    everyMs: 10,
  });
  await cluster.crashServer(1);
  await query(standbyUrl, 'SELECT pg_promote()');
  await cluster.query(
    DATABASE,
    `SELECT citus_update_node(nodeid, $1, $2, force := true) FROM pg_dist_node WHERE nodeport = $3`,
    [new URL(standbyUrl).hostname, Number(new URL(standbyUrl).port), port],
  );
  const first = (await Promise.all(floods.map(({ done }) => done))).flat();
  const ids = first.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.answer.message_id] : []));
  expect(first.filter(({ outcome }) => outcome.kind === 'refused' && outcome.status !== 503)).toEqual([]);

  // Whatever the answer was, the same request with its Idempotency-Key ends as one message.
  for (const account of all) {
    const [request] = requests.get(account) ?? [];
    if (!request) throw new Error('The account has no requests');
    // Processes look up a group's node once a second.
    await until('the account can send', async () => (await stack.api.send(request)).kind === 'accepted', {
      timeoutMs: SETTLED_WITHIN_MS,
      everyMs: 200,
    });
    const again = await flood(stack.api, requests.get(account) ?? [], AT_ONCE).done;
    expect(again.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
    const messages = await settled(stack, account, SETTLED_WITHIN_MS);
    expect(messages).toHaveLength(SENDS);
    await expectEven(stack, account, again, messages);
    for (const { message_id: id } of messages) known.add(id);
  }
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  await stack.endOperator();
  await expectLedgerClean(stack);
  await until('no connection is kept', async () => (await stack.busyConnections()) === 0, {
    timeoutMs: SETTLED_WITHIN_MS,
    everyMs: 500,
  });
});
