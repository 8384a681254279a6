import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { BillingModule } from '../billing/billing.module.js';
import { CardPayments } from '../billing/card-payments.js';
import { ConfigModule, type Config } from '../platform/config/config.js';
import { StripeSavedCards } from '../providers/stripe/stripe-saved-cards.js';
import { QualityModule } from '../quality/quality.module.js';
import { HealthModule } from '../platform/health/readiness.js';
import { CollectRepliesModule, InboundModule } from '../inbound/inbound.module.js';
import { Logger } from '../platform/telemetry/logger.js';
import { TelemetryModule } from '../platform/telemetry/telemetry.module.js';
import { MailSendingModule } from '../mail/mail.module.js';
import { Mailer } from '../mail/mailer.js';
import type { Carrier } from '../carriers/carrier.js';
import { MediaFilesModule } from '../media/media.module.js';
import { DispatchModule } from '../messages/messages.module.js';
import { buildMediaFiles } from '../providers/media-files.js';
import { AccountEventsModule } from '../platform/events/account-events.js';
import { NumberCarriers } from '../numbers/number-carriers.js';
import { NumberSalesModule } from '../numbers/numbers.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { TotpModule } from '../totp/totp.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { WebhookDeliveryModule } from '../webhooks/webhooks.module.js';
import { FakeCardPayments } from './fake-card-payments.js';
import { FakeMailer } from './fake-mailer.js';
import { FakeNumberCarrier } from './fake-number-carrier.js';
import { FakeCarrier } from './fake-carrier.js';
import { DatabaseModule } from '../platform/database/database.module.js';

/** A core as in one process, with its own pool, and carrier and payment provider in memory. */
export interface TestCore {
  readonly carrier: FakeCarrier;
  readonly cardPayments: FakeCardPayments;
  readonly mailer: FakeMailer;
  /** Seller of new numbers. */
  readonly numberCarrier: FakeNumberCarrier;
  /** Sellers of numbers of the configured carriers. */
  readonly numberCarriers: readonly FakeNumberCarrier[];
  /** Returns a use case or a part of it, from any module. */
  get<T>(type: abstract new (...args: never[]) => T): T;
  /** Returns a part that has a token in place of a class. */
  named<T>(token: string | symbol): T;
  close(): Promise<void>;
}

export async function createTestCore(config: Config, others: readonly Carrier[] = []): Promise<TestCore> {
  const carrier = new FakeCarrier();
  const numberCarriers = [carrierNumbers.twilio, ...(config.telnyx ? [carrierNumbers.telnyx] : [])].map(
    (number) => new FakeNumberCarrier(number),
  );
  const dispatch = DispatchModule.over(() => [carrier, ...others]);
  const app = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(config),
      TelemetryModule.forRoot({ process: 'worker', logger: Logger.silent() }),
      DatabaseModule,
      QueueModule.as('producer'),
      AccountEventsModule,
      HealthModule,
      MediaFilesModule.over(buildMediaFiles),
      QualityModule,
      dispatch,
      OtpModule,
      TotpModule,
      MailSendingModule.over(FakeMailer),
      BillingModule.over(FakeCardPayments, StripeSavedCards),
      NumberSalesModule.over(() => numberCarriers),
      InboundModule,
      CollectRepliesModule.with(dispatch),
      WebhookDeliveryModule,
    ],
  }).compile();
  app.useLogger(false);
  await app.init();
  return {
    ...partsOf(app),
    carrier,
    mailer: app.get<FakeMailer>(Mailer, { strict: false }),
    numberCarrier: app.get(NumberCarriers, { strict: false }).seller as FakeNumberCarrier,
    numberCarriers,
    cardPayments: app.get<FakeCardPayments>(CardPayments, { strict: false }),
  };
}

/** Access to the parts of any of the product's containers. */
export function partsOf(app: INestApplicationContext): Pick<TestCore, 'get' | 'named' | 'close'> {
  return {
    get: (type) => app.get(type, { strict: false }),
    named: (token) => app.get(token, { strict: false }),
    close: () => app.close(),
  };
}
