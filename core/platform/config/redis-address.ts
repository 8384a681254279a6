import { parsedUrl } from '../../rules/network-addresses.js';

/** Where Redis is: one URL, or some nodes of a Redis Cluster, which tell of all others. */
export interface RedisAddress {
  readonly urls: readonly string[];
  readonly isCluster: boolean;
}

/** What is wrong with the addresses and how to mend it, to be read after the variable's name; undefined when nothing is. */
export function redisAddressFault({ urls, isCluster }: RedisAddress): string | undefined {
  if (!isCluster)
    return urls.length > 1
      ? 'has more than one address: give one, or set REDIS_CLUSTER=true if they are nodes of a Redis Cluster'
      : undefined;
  // What is no URL has been named already.
  const nodes = urls.map(parsedUrl).filter((url) => url !== undefined);
  if (new Set(nodes.map(({ protocol, username, password }) => `${protocol}//${username}:${password}`)).size > 1)
    return 'must have the same scheme, user and password in every address: they are for all nodes of the Cluster';
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/: a Cluster has database 0 alone.
  if (nodes.some(({ pathname }) => !/^(\/0?)?$/.test(pathname)))
    return 'must name no database: a Redis Cluster has only one';
  return undefined;
}
