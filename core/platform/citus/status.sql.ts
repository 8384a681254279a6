import { ANCHOR_TABLE } from './layout.js';

interface GroupStatus {
  /** Id of the group's shard of `accounts`. */
  readonly group: string;
  /** Bytes with indexes. */
  readonly bytes: number;
}

export interface ShardsStatus {
  readonly distributed: boolean;
  /** Nodes, the coordinator first. */
  readonly nodes: readonly {
    readonly node: string;
    readonly isActive: boolean;
    readonly groups: readonly GroupStatus[];
  }[];
}

/** A node as {@link shardsStatus} returns it. */
export interface NodeRow {
  readonly node: string;
  readonly isActive: boolean;
  readonly groups: GroupStatus[] | null;
}

/** Nodes with their groups of shards, the coordinator first. */
export const shardsStatus = {
  text: `
SELECT n.nodename || ':' || n.nodeport AS node, n.isactive AS "isActive",
         (SELECT json_agg(json_build_object('group', g.id, 'bytes', g.bytes) ORDER BY g.id) FROM (
            SELECT a.shardid::text AS id, sum(s.shard_size)::float8 AS bytes
            FROM citus_shards a JOIN pg_dist_shard x ON x.shardid = a.shardid
            JOIN pg_dist_shard y ON y.shardminvalue = x.shardminvalue
            JOIN citus_shards s ON s.shardid = y.shardid AND s.colocation_id = a.colocation_id
            WHERE a.table_name = '${ANCHOR_TABLE}'::regclass AND a.nodename = n.nodename AND a.nodeport = n.nodeport
            GROUP BY a.shardid
          ) g) AS groups
       FROM pg_dist_node n WHERE n.noderole = 'primary' ORDER BY n.groupid`,
} as const;
