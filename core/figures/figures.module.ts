import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { RoutesModule } from '../routes/routes.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CarrierDays } from './carrier-days.js';
import { Deliverability } from './deliverability.js';
import { ExposedKeys } from './exposed-keys.js';
import { ExposureFigures } from './exposure-figures.js';
import { Margin } from './margin.js';
import { Spend } from './spend.js';

const figures = [CarrierDays, Deliverability, Spend];

/** Figures about messages by day: spend, carriers and deliveries. */
@Module({ imports: [AccountsModule], providers: figures, exports: figures })
export class FiguresModule {}

/** The amount that leaked keys could spend. Its budgets and top-ups come from billing. */
@Module({
  imports: [AccountsModule, CreditsModule, NumbersModule, RoutesModule, WebhooksModule],
  providers: [ExposedKeys, ExposureFigures],
  exports: [ExposureFigures],
})
export class ExposureModule {}

/** Earnings and costs of messages, for the operator. Payments come from billing. */
@Module({
  imports: [AccountsModule, CreditsModule, FiguresModule, RoutesModule],
  providers: [Margin],
  exports: [Margin],
})
export class MarginModule {}
