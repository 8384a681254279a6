import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A sender that one account alone uses. Written by the operator; acceptance reads it. */
@Entity('account_senders')
export class AccountSenderEntity {
  /** E.164, or the id of a messaging service. */
  @PrimaryColumn('text')
  sender!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
