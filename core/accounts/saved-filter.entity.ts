import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { FilteredView } from '#contract/dashboard.js';

/** A filter of a dashboard's view, which an account has saved by name. */
@Entity('saved_filters')
export class SavedFilterEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  view!: FilteredView;

  @Column('text')
  name!: string;

  /** Query string of the view's address. */
  @Column('text')
  query!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
