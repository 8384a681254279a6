import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** An authenticator: what an app on a person's device shares with us. */
@Entity('totps')
export class TotpEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** UUIDv7, so that ids are in order of time. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  issuer!: string | null;

  /** Encrypted base32. */
  @Column('bytea')
  secret!: Buffer;

  @Column('text', { name: 'encryption_key_id' })
  encryptionKeyId!: string;

  /** The newest time step whose code was accepted; codes of this step and earlier ones are used. */
  @Column('integer', { name: 'last_step', nullable: true })
  lastStep!: number | null;

  /** Wrong tries since the last accepted code, or since a lock began. */
  @Column('smallint', { name: 'wrong_tries' })
  wrongTries!: number;

  @Column('timestamptz', { name: 'locked_until', nullable: true })
  lockedUntil!: Date | null;

  /** Keyed hashes of the recovery codes that can be used. */
  @Column('bytea', { name: 'recovery_hashes', array: true })
  recoveryHashes!: Buffer[];

  /** Keyed hashes of the recovery codes of the same set that were used. */
  @Column('bytea', { name: 'used_recovery_hashes', array: true })
  usedRecoveryHashes!: Buffer[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
