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

  /** Time at which the owner of a password account proved to read its address. */
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

  /** Time of the suspension from sending, because most recipients were not reached. */
  @Column('timestamptz', { name: 'delivery_suspended_at', nullable: true })
  deliverySuspendedAt!: Date | null;

  /** The account sends only to numbers that it has verified, until a purchase or redeemed code. */
  @Column('boolean', { name: 'own_numbers_only' })
  ownNumbersOnly!: boolean;

  /** Time and reason of a flag for the operator. */
  @Column('timestamptz', { name: 'flagged_at', nullable: true })
  flaggedAt!: Date | null;

  @Column('text', { name: 'flagged_reason', nullable: true })
  flaggedReason!: string | null;

  /** Time at which the account is erased, as its owner has asked. */
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

  /** True if the owner reads the address; Google vouches for its users. */
  get isEmailVerified(): boolean {
    return this.signInType === 'google' || this.emailVerifiedAt !== null || this.googleSubject !== null;
  }
}
