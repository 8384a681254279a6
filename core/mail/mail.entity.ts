import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { MailContent } from './mail-template.js';

/**
 * An email to a customer, at most one of each kind and source. Written in the transaction of what it
 * is about; the worker's statements claim it and record what became of it.
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

  /** The token of a link, encrypted; null without one, and once the email has been sent. */
  @Column('bytea', { nullable: true })
  secret!: Buffer | null;

  @Column('text', { name: 'secret_key_id', nullable: true })
  secretKeyId!: string | null;

  @Column('text')
  status!: 'queued' | 'sending' | 'sent' | 'failed';

  /** The number of the last claim. */
  @Column('integer')
  attempts!: number;

  /** When recovery looks at it: its job may be lost, or its lease over. Null once it has ended. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
