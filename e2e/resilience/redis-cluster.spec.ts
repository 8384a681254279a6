import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { messageIdOf } from '../../tools/testkit/carrier.js';
import { runNode } from '../../tools/testkit/program.js';
import { RedisCluster } from '../../tools/testkit/redis-cluster.js';
import { until } from '../../tools/testkit/until.js';
import { Customer } from '../testing/customer.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, settled, stopWithCleanLedger } from '../testing/invariants.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';
import { unhurried, workerShares } from '../testing/worker-shares.js';

const SENDS = 1_500;
const CODES = 40;
const SETTLED_WITHIN_MS = 120_000;
const COMMAND_WITHIN_MS = 60_000;
const RUNS_MAX = 10;
/** All keys of an installation are in the slot of its prefix. */
const KEY = '{pennytext}:dispatch:id';
const BOARD_PASSWORD = 'the-board-of-this-test';

let cluster: RedisCluster;
let stack: Stack;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  const logFolder = test.info().outputPath('logs');
  cluster = await RedisCluster.start(logFolder);
  const env = {
    REDIS_CLUSTER: 'true',
    REDIS_URL: cluster.url,
    CUSTOM_SIGN_IN_ENABLED: 'true',
    QUEUE_BOARD_PASSWORD: BOARD_PASSWORD,
    ...unhurried,
    // Limits out of reach, so that requests are counted.
    RATE_LIMIT_KEY_PER_SECOND: '100000',
    RATE_LIMIT_ADDRESS_PER_SECOND: '100000',
  };
  stack = await Stack.start({ servers: 2, receiptDelayMs: 500, logFolder, env });
  await Promise.all([0, 1, 2].map((index) => stack.startWorker(index)));
});

test.afterAll(async () => {
  await stopWithCleanLedger(stack);
  await cluster?.stop();
});

test('kill -9 of the master with the queue amid 1,500 sends loses, doubles and wrongly charges nothing', async () => {
  const [account, customer] = await Promise.all([stack.account(SENDS), Customer.signUp(stack.url)]);
  await stack.admin('credits', 'adjust', customer.email, String(2 * CODES), '--why', 'a test');
  const apikey = await customer.apiKey();
  const page = await customer.watch();
  await stack.carrier.misbehave('delay', { delayMs: 50 });

  const sending = flood(stack.api, differentMessages(SENDS, account.apiKey, 'cluster'));
  await until('messages are being accepted and dispatched', async () => (await stack.carrier.count()) > SENDS / 10, {
    timeoutMs: 60_000,
    everyMs: 10,
  });
  const hasTakenOver = await cluster.crashMasterOf(KEY);
  expect(sending.answered()).toBeLessThan(SENDS);
  // The numbers are in different blocks, which the fraud guard counts apart.
  const recipients = Array.from({ length: CODES }, (_none, index) => `+1628${200 + index}0100`);
  const codes = await Promise.all(recipients.map((to) => sendCode(apikey, to)));
  await until('the replica has taken over', hasTakenOver, { timeoutMs: 60_000 });
  const sent = await sending.done;

  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await expectEven(stack, account, sent, await settled(stack, account, SETTLED_WITHIN_MS));
  await settled(stack, { email: customer.email, apiKey: apikey }, SETTLED_WITHIN_MS);
  const carried = await Promise.all(recipients.map(async (to) => (await stack.carrier.messages(to)).map(messageIdOf)));
  expect(carried).toEqual(codes.map((id) => [id]));
  expect(Math.min(...(await workerShares(stack)))).toBeGreaterThan(0);
  await until('the queue is empty', async () => (await stack.queued()) === 0, { timeoutMs: 60_000, everyMs: 500 });

  // Besides the queue: each server is ready, its page receives events of other processes, and the
  // queue board shows the queues.
  await until('both servers are ready', () => stack.areServersReady(), { timeoutMs: 60_000 });
  const later = await Promise.all(['+14153009001', '+14153009002'].map((to) => sendCode(apikey, to)));
  await until('the page receives them', () => later.every((id) => page.messageIds.has(id)), { timeoutMs: 60_000 });
  page.close();
  const authorization = `Basic ${Buffer.from(`operator:${BOARD_PASSWORD}`).toString('base64')}`;
  const board = await fetch(`${stack.url}/operator/queues/api/queues`, { headers: { authorization } });
  expect(board.status).toBe(200);
  expect(await board.json()).toMatchObject({
    queues: expect.arrayContaining([expect.objectContaining({ name: 'dispatch' })]),
  });
});

test("an operator's command ends, though the Redis Cluster answers only when its connections close", async () => {
  const late = await LateCluster.start();
  try {
    const env = { ...stack.environment, REDIS_URL: late.url };
    // A quick command can end before its client asks.
    for (let run = 1; run <= RUNS_MAX && late.asked === 0; run += 1) {
      const program = join(repository, 'dist/admin/main.js');
      const { code } = await runNode(program, ['ledger', 'check'], env, COMMAND_WITHIN_MS);
      expect(code).toBe(0);
    }
    expect(late.asked).toBeGreaterThan(0);
  } finally {
    late.stop();
  }
});

/**
 * One node with all slots. It answers whether the Cluster is whole only to a client that has ended
 * its side of the connection.
 */
class LateCluster {
  /** Number of connections that asked for the state. */
  asked = 0;
  private readonly server = createServer({ allowHalfOpen: true }, (socket) => this.serve(socket));

  static async start(): Promise<LateCluster> {
    const late = new LateCluster();
    await once(late.server.listen(0, '127.0.0.1'), 'listening');
    return late;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  stop(): void {
    this.server.close();
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private serve(socket: Socket): void {
    const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${this.port}\r\n`;
    let isAsked = false;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      for (const command of String(chunk).split(/(?=\*\d+\r\n)/)) {
        if (/slots/i.test(command)) socket.write(slots);
        else if (/cluster[^]*info/i.test(command)) {
          this.asked += isAsked ? 0 : 1;
          isAsked = true;
        } else socket.write('+OK\r\n');
      }
    });
    socket.on('end', () => socket.end(isAsked ? '$16\r\ncluster_state:ok\r\n' : ''));
  }
}

async function sendCode(apikey: string, to: string): Promise<string> {
  const answer = await stack.api.sendOtp({ to, apikey });
  if (answer.success !== 'true') throw new Error(`A code was refused: ${answer.detail}`);
  return answer.message_id;
}
