import { randomUUID } from 'node:crypto';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { Logger } from '../telemetry/logger.js';
import { Backlog } from './backlog.js';
import { RedisClient } from './redis-client.js';
import { scriptOf } from './shared-counters.js';

describe('Backlog', () => {
  let bed: TestBed;
  let client: RedisClient;
  let backlog: Backlog;

  beforeAll(async () => {
    bed = await createTestBed();
    const config = bed.config();
    if (!config.queue.redis) throw new Error('The tests run on Redis');
    client = new RedisClient(config, config.queue.redis, Logger.silent());
    backlog = new Backlog(client);
    await new Promise<void>((resolve) => client.redis.once('ready', resolve));
  });

  afterAll(async () => {
    client?.onApplicationShutdown();
    await bed?.remove();
  });

  const enter = async (counts: Record<string, number>) =>
    Object.fromEntries(await backlog.enter(new Map(Object.entries(counts))));

  it('returns how many waited before those that enter, for each account', async () => {
    expect(await enter({ one: 2, two: 1 })).toEqual({ one: 0, two: 0 });
    expect(await enter({ one: 3, two: 0 })).toEqual({ one: 2, two: 1 });
    expect(await enter({ one: 0 })).toEqual({ one: 5 });
  });

  it('counts those that leave together, and never below 0', async () => {
    await enter({ three: 3 });
    await Promise.all([backlog.leave('three'), backlog.leave('three'), backlog.leave('four')]);
    expect(await enter({ three: 0, four: 0 })).toEqual({ three: 1, four: 0 });
  });

  it('forgets a count after an hour without messages', async () => {
    await enter({ five: 1 });
    expect(await bed.redis.ttl(client.key('backlog:five'))).toBeGreaterThan(3_500);
    await backlog.leave('five');
    expect(await bed.redis.exists(client.key('backlog:five'))).toBe(0);
  });

  it('runs a script that Redis does not know, and then knows', async () => {
    const script = scriptOf(`return {ARGV[1] + 1} -- ${randomUUID()}`);
    const known = () => bed.redis.script('EXISTS', script.hash);
    expect(await known()).toEqual([0]);
    expect(await client.count(script, [client.key('x')], [1])).toEqual([2]);
    expect(await known()).toEqual([1]);
    expect(await client.count(script, [client.key('x')], [2])).toEqual([3]);
  });

  it('passes on the error of a script', async () => {
    await expect(client.count(scriptOf('return 1'), [client.key('x')], [])).rejects.toThrow('list');
    await expect(client.count(scriptOf('return oops'), [client.key('x')], [])).rejects.toThrow('oops');
  });
});
