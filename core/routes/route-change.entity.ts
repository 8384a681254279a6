import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../platform/database/bigint.js';
import type { MoveCause } from '../rules/route-health.js';

/** Why a country's routes changed: a command of the operator, or what was measured. */
export type RouteCause =
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

/** Weights of a country's routes by the carrier's name; null for a paused one. */
export type RouteWeights = Readonly<Record<string, number | null>>;

/** A decision about a country's routes. Never changed. */
@Entity('route_changes')
export class RouteChangeEntity {
  /** Given by the database, in order of writing. */
  @PrimaryColumn('bigint', { transformer: bigintAsNumber })
  id!: number;

  /** Given by the database. */
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

  /** What the decision rests on: the operator, what was measured, or what else was set. */
  @Column('jsonb')
  figures!: object;
}
