import { expect, test } from '@playwright/test';
import { citusNodes, dropFromNodes, joinNodes } from '../../tools/testkit/citus.js';
import { createDatabase, type RunDatabase } from '../../tools/testkit/postgres.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, expectLedgerClean, settled } from '../testing/invariants.js';
import { databaseServer, Stack } from '../testing/stack.js';

const SENDS = 60;
const SETTLED_WITHIN_MS = 60_000;

test.describe.configure({ timeout: 300_000 });

let database: RunDatabase;
let stack: Stack;

test.beforeAll(async () => {
  database = await createDatabase(databaseServer(), 'e2e');
  stack = await Stack.start({
    servers: 1,
    receiptDelayMs: 300,
    logFolder: test.info().outputPath('logs'),
    database: { url: database.url, drop: () => dropFromNodes(databaseServer(), nameOf(database)) },
    migrateArguments: [],
  });
  await stack.startWorker();
});

test.afterAll(() => stack?.stop());

function nameOf({ url }: RunDatabase): string {
  return new URL(url).pathname.slice(1);
}

test('a filled database is distributed, once and again, and goes on with everything it has', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => stack.account(10 * SENDS)));
  const sent = await Promise.all(
    accounts.map(({ apiKey, email }) => flood(stack.api, differentMessages(SENDS, apiKey, email), 5).done),
  );
  for (const account of accounts) await settled(stack, account, SETTLED_WITHIN_MS);
  await stack.program('server-0').stop();
  await stack.program('worker').stop();
  await joinNodes(database.url, citusNodes(), nameOf(database));
  for (let run = 1; run <= 2; run += 1) expect(await stack.migrate(['--distribute', '--shards=4'])).toEqual([]);
  await stack.startServer(0);
  await stack.startWorker();
  await stack.endOperator();

  const nodes = (await stack.admin('shards', 'status')) as { nodes: { groups: object[] }[] };
  expect(nodes.nodes.filter(({ groups }) => groups.length > 0)).toHaveLength(citusNodes().length);
  for (const [index, account] of accounts.entries()) {
    const more = await flood(stack.api, differentMessages(SENDS, account.apiKey, `${account.email} after`), 5).done;
    const all = [...(sent[index] ?? []), ...more];
    expect(all.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
    await expectEven(stack, account, all, await settled(stack, account, SETTLED_WITHIN_MS));
  }
  // Months and days later workers make these partitions.
  for (const kind of ['message', 'inbound', 'webhook', 'request'])
    await stack.sql(`SELECT ensure_${kind}_partitions('2031-05-01', 2)`, []);
  await expectLedgerClean(stack);
  expect(await stack.admin('ledger', 'verify')).toMatchObject({ accounts: accounts.length, faults: [] });
});

test('an address has one account on whichever node, and a key finds it', async () => {
  const { email } = await stack.account(1);
  await expect(stack.admin('account', 'create', '--email', email.toUpperCase())).rejects.toThrow('is refused');
});

test('a plain database stays one: migrations alone distribute nothing', async () => {
  const plain = await createDatabase(databaseServer(), 'e2e');
  try {
    stack.useDatabase(plain.url);
    await stack.migrate([]);
    expect(await stack.admin('shards', 'status')).toEqual({ distributed: false, nodes: [] });
  } finally {
    await plain.drop();
  }
});
