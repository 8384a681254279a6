import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A pool of an account's numbers: a message from it takes one of its numbers. */
@Entity('pools')
export class PoolEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Unique among the account's pools. */
  @Column('text')
  name!: string;

  /** True for the account's default pool: messages without a named sender take its numbers. */
  @Column('boolean', { name: 'is_default' })
  isDefault!: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
