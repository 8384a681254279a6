import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../platform/database/bigint.js';
import type { MoveCause } from '../rules/route-health.js';

/**
 * Reason of a change of a country's routes: `apply` and `region` are the operator's, the others
 * measurements. Rows of earlier releases also have the commands `weight` to `prices`.
 */
export type RouteCause =
  | 'apply'
  | 'weight'
  | 'hold'
  | 'release'
  | 'pause'
  | 'resume'
  | 'mode'
  | 'terms'
  | 'prices'
  | 'region'
  | MoveCause
  | 'receipts_doubted'
  | 'receipts_trusted'
  | 'carrier_paused'
  | 'carrier_resumed';

/** Weights of a country's routes by carrier name; null for a paused route. */
export type RouteWeights = Readonly<Record<string, number | null>>;

/** A decision about a country's routes. Never changed. */
@Entity('route_changes')
export class RouteChangeEntity {
  /** Assigned by the database, in order of writing. */
  @PrimaryColumn('bigint', { transformer: bigintAsNumber })
  id!: number;

  /** Assigned by the database. */
  @Column('timestamptz')
  at!: Date;

  /** ISO 3166-1 alpha-2. */
  @Column('text')
  country!: string;

  @Column('jsonb')
  from!: RouteWeights;

  @Column('jsonb')
  to!: RouteWeights;

  @Column('text')
  cause!: RouteCause;

  /** Basis of the decision: the operator, measured figures, or other settings. */
  @Column('jsonb')
  figures!: object;
}
