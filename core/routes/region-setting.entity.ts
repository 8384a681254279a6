import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RegionSetting } from '../rules/regions.js';

/** Settings of the operator for a region that differ from the region table of the contract. */
@Entity('region_settings')
export class RegionSettingEntity implements RegionSetting {
  /** ISO 3166-1 alpha-3. */
  @PrimaryColumn('text')
  code!: string;

  /** Null in any column means the default. */
  @Column('boolean', { nullable: true })
  active!: boolean | null;

  @Column('boolean', { nullable: true })
  otp!: boolean | null;

  @Column('boolean', { nullable: true })
  voice!: boolean | null;

  /** Price of one segment. */
  @Column('smallint', { nullable: true })
  credits!: number | null;
}
