import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A number of a pool. */
@Entity('pool_numbers')
export class PoolNumberEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'pool_id' })
  poolId!: string;

  @PrimaryColumn('uuid', { name: 'number_id' })
  numberId!: string;

  /** Time at which the number left the pool because carriers filter it; null while it is used. */
  @Column('timestamptz', { name: 'left_at', nullable: true })
  leftAt!: Date | null;
}
