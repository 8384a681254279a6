import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { MailContent } from './mail-template.js';

/**
 * An email to a customer, at most one of each kind and source. Written in the transaction of its
 * subject; the worker's statements claim it and record its result.
 */
@Entity('mails')
export class MailEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  kind!: MailContent['kind'];

  @Column('text', { name: 'source_id' })
  sourceId!: string;

  /** Email address. */
  @Column('text')
  recipient!: string;

  @Column('jsonb')
  content!: MailContent;

  /** Token of a link, encrypted; null without a link, and once the email has been sent. */
  @Column('bytea', { nullable: true })
  secret!: Buffer | null;

  @Column('text', { name: 'secret_key_id', nullable: true })
  secretKeyId!: string | null;

  @Column('text')
  status!: 'queued' | 'sending' | 'sent' | 'failed';

  /** The number of the last claim. */
  @Column('integer')
  attempts!: number;

  /**
   * Time of recovery's next look, for a lost job or an ended lease. Null once the email has ended.
   */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
