import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A customer. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  @Column('text', { name: 'display_name' })
  displayName!: string;

  @Column('text', { name: 'sign_in_type' })
  signInType!: 'google' | 'custom';

  /** Google's `sub`; null for an account that has not met Google yet. */
  @Column('text', { name: 'google_subject', nullable: true })
  googleSubject!: string | null;

  /** When the owner of a password account has proved to read its address. */
  @Column('timestamptz', { name: 'email_verified_at', nullable: true })
  emailVerifiedAt!: Date | null;

  /** argon2id; null for Google sign-in. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  /** Messages per New York day. */
  @Column('integer', { name: 'daily_limit' })
  dailyLimit!: number;

  /** Numbers that the account may have bought at a time. */
  @Column('integer', { name: 'numbers_max', default: 10 })
  numbersMax!: number;

  /** Requests per second with this account's key; null for the service's own limit. */
  @Column('integer', { name: 'key_rate_per_second', nullable: true })
  keyRatePerSecond!: number | null;

  @Column('boolean', { name: 'urls_activated' })
  urlsActivated!: boolean;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt!: Date | null;

  /** Since when it may not send, because most of its recipients were not reached. */
  @Column('timestamptz', { name: 'delivery_suspended_at', nullable: true })
  deliverySuspendedAt!: Date | null;

  /** Until a purchase or redeemed code it sends to numbers that it has verified only. */
  @Column('boolean', { name: 'own_numbers_only' })
  ownNumbersOnly!: boolean;

  /** Since when the operator should look at this account, and why. */
  @Column('timestamptz', { name: 'flagged_at', nullable: true })
  flaggedAt!: Date | null;

  @Column('text', { name: 'flagged_reason', nullable: true })
  flaggedReason!: string | null;

  /** When the account is erased, as its owner has asked. */
  @Column('timestamptz', { name: 'delete_at', nullable: true })
  deleteAt!: Date | null;

  /** Email notices that the owner has turned off. */
  @Column('text', { name: 'muted_notices', array: true })
  mutedNotices!: string[];

  /** ISO 3166-1 alpha-2 codes of the countries to which the owner lets no messages be sent. */
  @Column('text', { name: 'disabled_countries', array: true })
  disabledCountries!: string[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Whether the owner reads the address; Google vouches for its users. */
  get isEmailVerified(): boolean {
    return this.signInType === 'google' || this.emailVerifiedAt !== null || this.googleSubject !== null;
  }
}
