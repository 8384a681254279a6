import { Inject, Injectable } from '@nestjs/common';
import { Config } from '#core/platform/config/config.js';
import { WatchLedger } from '#core/credits/watch-ledger.js';
import { CollectReplies } from '#core/inbound/collect-replies.js';
import { InboundHousekeeping } from '#core/inbound/inbound-housekeeping.js';
import { RecoverHeld } from '#core/inbound/recover-held.js';
import { LOGGER, type Logger } from '#core/platform/telemetry/logger.js';
import { RecoverMails } from '#core/mail/recover-mails.js';
import { Housekeeping } from '#core/messages/recovery/housekeeping.js';
import { RecoverMessages } from '#core/messages/recovery/recover-messages.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { OtpHousekeeping } from '#core/otp/otp-housekeeping.js';
import { RecoverWebhooks } from '#core/webhooks/delivery/recover-webhooks.js';
import { LookForLowCredits } from '#core/webhooks/look-for-low-credits.js';
import { WebhookHousekeeping } from '#core/webhooks/webhook-housekeeping.js';
import { Recurring } from './recurring.js';

const HOUSEKEEPING_EVERY_MS = 3_600_000;
const MAIL_RECOVERY_EVERY_MS = 10_000;
const COLLECT_REPLIES_EVERY_MS = 60_000;
const LOW_CREDITS_EVERY_MS = 5_000;

/** What a worker does again and again beside its jobs: it finds what the queue lost, and forgets what is over. */
@Injectable()
export class Loops {
  private running: Recurring[] = [];

  constructor(
    private readonly recoverMessages: RecoverMessages,
    private readonly recoverMails: RecoverMails,
    private readonly recoverWebhooks: RecoverWebhooks,
    private readonly recoverHeld: RecoverHeld,
    private readonly collectReplies: CollectReplies,
    private readonly lookForLowCredits: LookForLowCredits,
    private readonly watchLedger: WatchLedger,
    private readonly housekeeping: Housekeeping,
    private readonly inboundHousekeeping: InboundHousekeeping,
    private readonly webhookHousekeeping: WebhookHousekeeping,
    private readonly otpHousekeeping: OtpHousekeeping,
    private readonly config: Config,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    const { recoveryIntervalMs } = this.config.dispatch;
    this.every(recoveryIntervalMs, 'recovery', async () => (await this.recoverMessages.run()) > 0);
    this.every(recoveryIntervalMs, 'webhook recovery', async () => (await this.recoverWebhooks.run()) > 0);
    this.every(recoveryIntervalMs, 'held messages', () => this.recoverHeld.run());
    this.every(COLLECT_REPLIES_EVERY_MS, 'missed replies', async () => {
      await this.collectReplies.run();
      return false;
    });
    if (this.config.mail.smtpUrl !== undefined)
      this.every(MAIL_RECOVERY_EVERY_MS, 'mail recovery', async () => (await this.recoverMails.run()) > 0);
    this.every(LOW_CREDITS_EVERY_MS, 'low credits', async () => (await this.lookForLowCredits.run()) > 0);
    const { ledgerCheckSeconds } = this.config.operator;
    if (ledgerCheckSeconds > 0)
      this.every(ledgerCheckSeconds * 1_000, 'ledger check', async () => {
        await this.watchLedger.run();
        return false;
      });
    this.every(HOUSEKEEPING_EVERY_MS, 'housekeeping', () => this.housekeeping.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'inbound housekeeping', () => this.inboundHousekeeping.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'webhook housekeeping', () => this.webhookHousekeeping.run());
    this.every(HOUSEKEEPING_EVERY_MS, 'otp housekeeping', () => this.otpHousekeeping.run());
  }

  /** Resolves when the rounds under way have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((one) => one.stop()));
  }

  private every(everyMs: number, name: string, run: () => Promise<boolean>): void {
    const onRound = (result: 'done' | 'failed') => this.metrics.loopRounds.inc({ loop: name, result });
    this.running.push(new Recurring({ name, everyMs, run, logger: this.logger, onRound }));
  }
}
