import { Cluster } from 'ioredis';
import { openRedis, reasonOf, type RedisRole } from './redis-client.js';

const urls = ['rediss://ada:p%40ss@a.example:7000', 'rediss://ada:p%40ss@b.example:7000'];

/** Returns the options of a client that never connects. */
function clusterOptions(role: RedisRole): Cluster['options'] {
  const client = openRedis({ urls, isCluster: true }, role);
  client.disconnect();
  if (!(client instanceof Cluster)) throw new Error('The client is not a Cluster');
  return client.options;
}

describe('openRedis, Redis Cluster', () => {
  it.each(['counters', 'producer', 'worker'] as const)('uses user, password and TLS for every node, as %s', (role) => {
    expect(clusterOptions(role).redisOptions).toMatchObject({ username: 'ada', password: 'p@ss', tls: {} });
  });

  it('keeps the host names of nodes, which match their certificates', () => {
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

describe('reasonOf', () => {
  it('includes the error of the last node', () => {
    const lastNodeError = new Error('ERR This instance has cluster support disabled');
    expect(reasonOf(Object.assign(new Error('Failed to refresh slots cache.'), { lastNodeError }))).toBe(
      'Failed to refresh slots cache. ERR This instance has cluster support disabled',
    );
    expect(reasonOf(new Error('connect ECONNREFUSED'))).toBe('connect ECONNREFUSED');
  });
});
