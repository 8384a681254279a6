import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RouteMode } from '../rules/routes.js';

/** The mode in which a country's routes are chosen, if it is not by weights. */
@Entity('route_modes')
export class RouteModeEntity {
  /** ISO 3166-1 alpha-2. */
  @PrimaryColumn('text')
  country!: string;

  @Column('text')
  mode!: RouteMode;
}
