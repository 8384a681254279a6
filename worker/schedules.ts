import { Injectable } from '@nestjs/common';
import { Config } from '#core/platform/config/config.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { WatchLedger } from '#core/credits/watch-ledger.js';
import { CollectReplies } from '#core/inbound/collect-replies.js';
import { InboundRetention } from '#core/inbound/inbound-retention.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { MailSender } from '#core/mail/mail-sender.js';
import { ProbeCarrier } from '#core/messages/dispatch/probe-carrier.js';
import { MessageRetention } from '#core/messages/message-retention.js';
import { RecoverMessages } from '#core/messages/recovery/recover-messages.js';
import { DeliverySuspensions } from '#core/messages/status/delivery-suspensions.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { OtpEvents } from '#core/otp/otp-events.js';
import { OtpRetention } from '#core/otp/otp-retention.js';
import { DeliverWebhook } from '#core/webhooks/delivery/deliver-webhook.js';
import { LowCredits } from '#core/webhooks/low-credits.js';
import { WebhookRetention } from '#core/webhooks/webhook-retention.js';
import { ScheduledTask } from './scheduled-task.js';

const HOUSEKEEPING_EVERY_MS = 3_600_000;
const MAIL_RECOVERY_EVERY_MS = 10_000;
const ACCOUNT_ERASURE_EVERY_MS = 60_000;
const SUSPENSIONS_EVERY_MS = 60_000;
const LOW_CREDITS_EVERY_MS = 5_000;
const OTP_EXPIRY_EVERY_MS = 5_000;

/** What a worker does again and again beside its jobs: it finds what the queue lost, and forgets what is over. */
@Injectable()
export class Schedules {
  private running: ScheduledTask[] = [];

  constructor(
    private readonly recoverMessages: RecoverMessages,
    private readonly probeCarrier: ProbeCarrier,
    private readonly mailSender: MailSender,
    private readonly welcomeMails: WelcomeMails,
    private readonly deliverWebhook: DeliverWebhook,
    private readonly heldReplies: HeldReplies,
    private readonly collectReplies: CollectReplies,
    private readonly lowCredits: LowCredits,
    private readonly deliverySuspensions: DeliverySuspensions,
    private readonly watchLedger: WatchLedger,
    private readonly retention: MessageRetention,
    private readonly inboundRetention: InboundRetention,
    private readonly webhookRetention: WebhookRetention,
    private readonly otpRetention: OtpRetention,
    private readonly accountErasure: AccountErasure,
    private readonly otpEvents: OtpEvents,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  start(): void {
    const { recoveryIntervalMs } = this.config.dispatch;
    this.every(recoveryIntervalMs, 'recovery', async () => (await this.recoverMessages.run()) > 0);
    this.every(recoveryIntervalMs, 'dispatch pause', async () => {
      await this.probeCarrier.run();
      return false;
    });
    this.every(recoveryIntervalMs, 'webhook recovery', async () => (await this.deliverWebhook.recover()) > 0);
    this.every(recoveryIntervalMs, 'held messages', () => this.heldReplies.recover());
    this.every(this.config.twilio.lookupSeconds * 1_000, 'missed replies', async () => {
      await this.collectReplies.poll();
      return false;
    });
    if (this.config.mail.smtpUrl !== undefined)
      this.every(MAIL_RECOVERY_EVERY_MS, 'mail recovery', async () => (await this.mailSender.recover()) > 0);
    this.every(OTP_EXPIRY_EVERY_MS, 'otp expiry', () => this.otpEvents.expire());
    this.every(MAIL_RECOVERY_EVERY_MS, 'welcome e-mails', () => this.welcomeMails.sendDue());
    this.every(SUSPENSIONS_EVERY_MS, 'delivery suspensions', async () => {
      await this.deliverySuspensions.check();
      return false;
    });
    this.every(LOW_CREDITS_EVERY_MS, 'low credits', async () => (await this.lowCredits.check()) > 0);
    const { ledgerCheckSeconds } = this.config.operator;
    if (ledgerCheckSeconds > 0)
      this.every(ledgerCheckSeconds * 1_000, 'ledger check', async () => {
        await this.watchLedger.run();
        return false;
      });
    this.every(HOUSEKEEPING_EVERY_MS, 'retention', () => this.retention.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'inbound retention', () => this.inboundRetention.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'webhook retention', () => this.webhookRetention.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'otp retention', () => this.otpRetention.run());
    this.every(ACCOUNT_ERASURE_EVERY_MS, 'account erasure', async () => (await this.accountErasure.eraseDue()) > 0);
  }

  /** Resolves when the rounds under way have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((one) => one.stop()));
  }

  private every(everyMs: number, name: string, run: () => Promise<boolean>): void {
    const onRound = (result: 'done' | 'failed') => this.metrics.loopRounds.inc({ loop: name, result });
    this.running.push(new ScheduledTask({ name, everyMs, run, logger: this.logger, onRound }));
  }
}
