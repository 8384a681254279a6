import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../platform/database/bigint.js';

/**
 * Actions that are recorded. A provider's notice causes `account.flagged`, `account.flag_cleared`
 * and `delivery.suspended`. `operator.command` is written before a command runs, `operator.refused`
 * when it failed.
 */
export type AuditAction =
  | 'account.created'
  | 'account.deleted'
  | 'account.deletion_requested'
  | 'account.deletion_canceled'
  | 'account.exported'
  | 'account.notices_changed'
  | 'account.countries_changed'
  | 'account.google_linked'
  | 'account.flagged'
  | 'account.flag_cleared'
  | 'account.email_verified'
  | 'password.link_requested'
  | 'password.changed'
  | 'session.started'
  | 'session.ended'
  | 'session.others_ended'
  | 'session.confirmed'
  | 'key.rotated'
  | 'key.created'
  | 'key.changed'
  | 'key.revoked'
  | 'key.old_secrets_ended'
  | 'otp.settings_changed'
  | 'otp.guard_reset'
  | 'number.bought'
  | 'number.changed'
  | 'number.releasing'
  | 'number.kept'
  | 'number.filtered'
  | 'pool.changed'
  | 'pool.deleted'
  | 'webhook.changed'
  | 'webhook.events_changed'
  | 'alerts.changed'
  | 'invoice_details.changed'
  | 'top_up.changed'
  | 'top_up.card_saved'
  | 'top_up.card_removed'
  | 'webhook.secret_rotated'
  | 'webhook.enabled'
  | 'webhook.resent'
  | 'webhook.replayed'
  | 'webhook.tested'
  | 'delivery.suspended'
  | 'delivery.resumed'
  | 'credits.requested'
  | 'credits.approved'
  | 'credits.rejected'
  | 'operator.command'
  | 'operator.refused';

/** Kind of person or system that acted. */
export type Actor = 'account' | 'operator' | 'provider';

/**
 * An action, its actor and its time. Written beside the change that it records, and never changed.
 */
@Entity('audit_entries')
export class AuditEntryEntity {
  /** Given by the database, in order of writing. */
  @PrimaryColumn('bigint', { transformer: bigintAsNumber })
  id!: number;

  /**
   * An operator is recorded by name, `operator:ada`; the bare `operator` occurs only if nothing was
   * changed.
   */
  @Column('text')
  actor!: Actor | `operator:${string}`;

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  @Column('text')
  action!: AuditAction;

  /** Contains no key, token or password. */
  @Column('jsonb')
  details!: object;

  /**
   * Network address that the action came from; null for operators, who are on the machine, and for
   * providers.
   */
  @Column('inet', { nullable: true })
  address!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
