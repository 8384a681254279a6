import { Cluster } from 'ioredis';
import { openRedis, reasonOf, type RedisRole } from './open-redis.js';

const urls = ['rediss://ada:p%40ss@a.example:7000', 'rediss://ada:p%40ss@b.example:7000'];

/** The options of a client that is closed before it has called anybody. */
function clusterOptions(role: RedisRole): Cluster['options'] {
  const client = openRedis({ urls, isCluster: true }, role);
  client.disconnect();
  if (!(client instanceof Cluster)) throw new Error('A Cluster was asked for');
  return client.options;
}

describe('a client of a Redis Cluster', () => {
  it.each(['counters', 'producer', 'worker'] as const)('uses user, password and TLS for every node, as %s', (role) => {
    expect(clusterOptions(role).redisOptions).toMatchObject({ username: 'ada', password: 'p@ss', tls: {} });
  });

  it('keeps the names of nodes, which their certificates have', () => {
    const found = jest.fn();
    clusterOptions('worker').dnsLookup?.('a.example', found);
    expect(found).toHaveBeenCalledWith(null, 'a.example');
  });

  it('waits for an unavailable master as a worker and fails at once in other roles', () => {
    expect(clusterOptions('worker')).toMatchObject({
      enableOfflineQueue: true,
      redisOptions: { maxRetriesPerRequest: null },
    });
    expect(clusterOptions('worker').retryDelayOnFailover).toBeGreaterThan(0);
    for (const role of ['counters', 'producer'] as const)
      expect(clusterOptions(role)).toMatchObject({ enableOfflineQueue: false, retryDelayOnFailover: 0 });
  });
});

describe('the reason of a failure', () => {
  it('includes the error of the last node', () => {
    const lastNodeError = new Error('ERR This instance has cluster support disabled');
    expect(reasonOf(Object.assign(new Error('Failed to refresh slots cache.'), { lastNodeError }))).toBe(
      'Failed to refresh slots cache. ERR This instance has cluster support disabled',
    );
    expect(reasonOf(new Error('connect ECONNREFUSED'))).toBe('connect ECONNREFUSED');
  });
});
