import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OptionalWebhookEvent } from '#contract/webhooks.js';
import { bigintAsNumber } from '../../platform/database/bigint.js';

/**
 * An account's webhook endpoint, and its alerts about credits. Created by the first setting, by
 * whichever statement comes first; its secrets are read and replaced only by SQL.
 */
@Entity('webhook_endpoints')
export class EndpointEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** Null turns receiving off. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('text', { array: true })
  events!: OptionalWebhookEvent[];

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: 'gone' | 'failing' | 'operator' | null;

  /** Credits below which `credits.low` is sent. */
  @Column('bigint', { name: 'low_credits', transformer: bigintAsNumber })
  lowCredits!: number;

  @Column('boolean', { name: 'low_credits_mail' })
  lowCreditsMail!: boolean;

  /** Credits of a New York day from which an alert is sent; null turns it off. */
  @Column('bigint', { name: 'daily_spend', nullable: true, transformer: bigintAsNumber })
  dailySpend!: number | null;

  /** New York day, 'YYYY-MM-DD'. */
  @Column('date', { name: 'spend_day', nullable: true })
  spendDay!: string | null;

  /** Credits that the account had used when `spendDay` began. */
  @Column('bigint', { name: 'spend_base', nullable: true, transformer: bigintAsNumber })
  spendBase!: number | null;

  @Column('date', { name: 'spend_alerted_on', nullable: true })
  spendAlertedOn!: string | null;
}
