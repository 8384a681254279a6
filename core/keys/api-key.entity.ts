import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { KeyScope } from '#contract/account.js';
import type { PlugSettings } from '#contract/plugs.js';
import { bigintAsNumber } from '../platform/database/bigint.js';

/**
 * An API key and its limits; null is no limit. An account has one default key, which has neither a
 * name nor limits. Written by the dashboard; acceptance counts a key's spending in the same row by
 * SQL.
 */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('boolean', { name: 'is_default', default: false })
  isDefault!: boolean;

  /** Null for the account's default key. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text')
  mode!: 'live' | 'test';

  /** The account's key in the samples of the documentation. */
  @Column('boolean', { name: 'for_samples', default: false })
  forSamples!: boolean;

  @Column('text', { array: true, nullable: true })
  scopes!: KeyScope[] | null;

  /** Networks from which the key may be used. */
  @Column('inet', { array: true, nullable: true })
  addresses!: string[] | null;

  /** ISO 3166-1 alpha-2 codes of the countries to which the key may send. */
  @Column('text', { array: true, nullable: true })
  countries!: string[] | null;

  @Column('bigint', { name: 'credits_per_day', nullable: true, transformer: bigintAsNumber })
  creditsPerDay!: number | null;

  @Column('bigint', { name: 'credits_per_month', nullable: true, transformer: bigintAsNumber })
  creditsPerMonth!: number | null;

  @Column('integer', { name: 'messages_per_second', nullable: true })
  messagesPerSecond!: number | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** How the calls of another product become messages; null for a key of a program. */
  @Column('jsonb', { nullable: true })
  plug!: PlugSettings | null;

  /** Secrets that prove the product's calls, as encrypted JSON. */
  @Column('bytea', { name: 'plug_secrets', nullable: true })
  plugSecrets!: Buffer | null;

  @Column('text', { name: 'plug_encryption_key_id', nullable: true })
  plugEncryptionKeyId!: string | null;

  @Column('timestamptz', { name: 'plug_called_at', nullable: true })
  plugCalledAt!: Date | null;

  /** `sent`, or the code of the last call's error. */
  @Column('text', { name: 'plug_result', nullable: true })
  plugResult!: string | null;
}

/** The columns of a plug. */
export type PlugColumns = Pick<
  ApiKeyEntity,
  'plug' | 'plugSecrets' | 'plugEncryptionKeyId' | 'plugCalledAt' | 'plugResult'
>;
