import { Injectable } from '@nestjs/common';
import { Config } from '#core/platform/config/config.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { LedgerSeals } from '#core/credits/ledger-seals.js';
import { WatchLedger } from '#core/credits/watch-ledger.js';
import { Invoices } from '#core/billing/invoices/invoices.js';
import { TopUps } from '#core/billing/top-ups/top-ups.js';
import { CollectReplies } from '#core/inbound/receive-replies.js';
import { InboundRetention } from '#core/inbound/inbound-retention.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { MailSender } from '#core/mail/mail-sender.js';
import { ProbeCarrier } from '#core/messages/dispatch/probe-carrier.js';
import { ServiceStatus } from '#core/platform/health/service-status.js';
import { DeliveryQuality } from '#core/messages/history/delivery-quality.js';
import { MessageRetention } from '#core/messages/message-retention.js';
import { RecoverMessages } from '#core/messages/recovery/recover-messages.js';
import { DeliverySuspensions } from '#core/messages/status/delivery-suspensions.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { Shards } from '#core/platform/database/shards.js';
import { OtpEvents } from '#core/otp/otp-events.js';
import { OtpRetention } from '#core/otp/otp-retention.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { CreditAlerts } from '#core/webhooks/credit-alerts.js';
import { WebhookRetention } from '#core/webhooks/webhook-retention.js';
import { setTimeout as pause } from 'node:timers/promises';

interface ScheduledTaskOptions {
  readonly name: string;
  readonly everyMs: number;
  /** Resolves to true to run again without a pause. */
  readonly run: () => Promise<boolean>;
  readonly logger: Logger;
  /** Called after each run with its result. */
  readonly onRun?: (result: 'done' | 'failed') => void;
}

/** Runs work at an interval, one run at a time, and logs runs that fail. */
export class ScheduledTask {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  constructor(private readonly options: ScheduledTaskOptions) {
    this.ended = this.runUntilStopped();
  }

  /** Starts no further run; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async runUntilStopped(): Promise<void> {
    const { name, everyMs, run, logger, onRun } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await run().then(
        (answer) => {
          onRun?.('done');
          return answer;
        },
        (err: unknown) => {
          onRun?.('failed');
          logger.error({ err, task: name }, 'scheduled task failed');
          return false;
        },
      );
      if (!more) await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A scheduled message leaves at most about this late. */
const SCHEDULED_EVERY_MS = 250;
const RETENTION_EVERY_MS = 3_600_000;
const MAIL_RECOVERY_EVERY_MS = 10_000;
const ACCOUNT_ERASURE_EVERY_MS = 60_000;
const SUSPENSIONS_EVERY_MS = 60_000;
const ALERTS_EVERY_MS = 5_000;
const INVOICES_EVERY_MS = 5_000;
const TOP_UPS_EVERY_MS = 2_000;
/** Entries are sealed within a minute. */
const SEALS_EVERY_MS = 20_000;
/** Looks for days to compute; most runs find none. */
const QUALITY_EVERY_MS = 60_000;
const STATUS_EVERY_MS = 60_000;
const OTP_EXPIRY_EVERY_MS = 5_000;

/** The scheduled tasks of a worker: recovery, checks and retention. */
@Injectable()
export class Schedules {
  private tasks: ScheduledTask[] = [];

  constructor(
    private readonly recoverMessages: RecoverMessages,
    private readonly probeCarrier: ProbeCarrier,
    private readonly mailSender: MailSender,
    private readonly welcomeMails: WelcomeMails,
    private readonly deliverWebhook: DeliverWebhook,
    private readonly heldReplies: HeldReplies,
    private readonly collectReplies: CollectReplies,
    private readonly creditAlerts: CreditAlerts,
    private readonly topUps: TopUps,
    private readonly invoices: Invoices,
    private readonly deliverySuspensions: DeliverySuspensions,
    private readonly watchLedger: WatchLedger,
    private readonly ledgerSeals: LedgerSeals,
    private readonly deliveryQuality: DeliveryQuality,
    private readonly serviceStatus: ServiceStatus,
    private readonly retention: MessageRetention,
    private readonly inboundRetention: InboundRetention,
    private readonly webhookRetention: WebhookRetention,
    private readonly otpRetention: OtpRetention,
    private readonly accountErasure: AccountErasure,
    private readonly otpEvents: OtpEvents,
    private readonly shards: Shards,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  start(): void {
    const { recoveryIntervalMs } = this.config.dispatch;
    this.every(recoveryIntervalMs, 'recovery', async () => (await this.recoverMessages.run()) > 0);
    this.every(Math.min(recoveryIntervalMs, SCHEDULED_EVERY_MS), 'scheduled messages', () =>
      this.recoverMessages.releaseScheduled(),
    );
    this.once(recoveryIntervalMs, 'dispatch pause', async () => {
      await this.probeCarrier.run();
      return false;
    });
    this.every(recoveryIntervalMs, 'webhook recovery', async () => (await this.deliverWebhook.recover()) > 0);
    this.every(recoveryIntervalMs, 'held replies', () => this.heldReplies.recover());
    this.once(this.config.twilio.lookupSeconds * 1_000, 'missed replies', async () => {
      await this.collectReplies.poll();
      return false;
    });
    if (this.config.mail.smtpUrl !== undefined)
      this.every(MAIL_RECOVERY_EVERY_MS, 'mail recovery', async () => (await this.mailSender.recover()) > 0);
    this.every(OTP_EXPIRY_EVERY_MS, 'otp expiry', () => this.otpEvents.expire());
    this.every(MAIL_RECOVERY_EVERY_MS, 'welcome emails', () => this.welcomeMails.sendDue());
    this.every(SUSPENSIONS_EVERY_MS, 'delivery suspensions', async () => {
      await this.deliverySuspensions.check();
      return false;
    });
    this.every(ALERTS_EVERY_MS, 'credit alerts', async () => (await this.creditAlerts.check()) > 0);
    this.every(TOP_UPS_EVERY_MS, 'top-ups', async () => (await this.topUps.check()) > 0);
    this.every(TOP_UPS_EVERY_MS, 'top-up recovery', async () => (await this.topUps.recover()) > 0);
    this.every(INVOICES_EVERY_MS, 'invoices', () => this.invoices.issue());
    const { ledgerCheckSeconds } = this.config.operator;
    if (ledgerCheckSeconds > 0)
      this.once(ledgerCheckSeconds * 1_000, 'ledger check', async () => {
        await this.watchLedger.run();
        return false;
      });
    this.every(SEALS_EVERY_MS, 'ledger seals', () => this.ledgerSeals.run());
    this.once(QUALITY_EVERY_MS, 'delivery quality', () => this.deliveryQuality.run());
    this.once(STATUS_EVERY_MS, 'service status', async () => {
      await this.serviceStatus.measure();
      return false;
    });
    this.every(RETENTION_EVERY_MS, 'retention', () => this.retention.run());
    this.every(RETENTION_EVERY_MS, 'inbound retention', () => this.inboundRetention.run());
    this.every(RETENTION_EVERY_MS, 'webhook retention', () => this.webhookRetention.run());
    this.every(RETENTION_EVERY_MS, 'otp retention', () => this.otpRetention.run());
    this.every(ACCOUNT_ERASURE_EVERY_MS, 'account erasure', async () => (await this.accountErasure.eraseDue()) > 0);
  }

  /** Starts no further runs; resolves when the current ones have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Runs on each group of shards in turn; on a plain database once. */
  private every(everyMs: number, name: string, run: () => Promise<boolean>): void {
    this.once(everyMs, name, async () => (await this.shards.each(run)).includes(true));
  }

  private once(everyMs: number, name: string, run: () => Promise<boolean>): void {
    const onRun = (result: 'done' | 'failed') => this.metrics.scheduledTaskRuns.inc({ task: name, result });
    this.tasks.push(new ScheduledTask({ name, everyMs, run, logger: this.logger, onRun }));
  }
}
