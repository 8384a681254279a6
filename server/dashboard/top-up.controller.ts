import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import {
  billingQuery,
  type BillingQuery,
  type CardSetupAnswer,
  type TopUpAnswer,
  topUpBody,
  type TopUpBody,
  type TopUpsAnswer,
  type TopUpStatusAnswer,
} from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { AutoTopUps } from '#core/billing/top-ups/auto-top-ups.js';
import { ConfirmTopUp } from '#core/billing/top-ups/confirm-top-up.js';
import { SavedCard } from '#core/billing/top-ups/saved-card.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { ActionLimits } from '../http/rate-limits.js';

const topUpId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('top_up_not_found', 'No top-up has this id.'),
});

/** /api/dashboard/top-up: settings, the saved card, attempts and their confirmation */
@Controller('api/dashboard/top-up')
@UseGuards(SessionGuard)
export class TopUpController {
  constructor(
    private readonly autoTopUps: AutoTopUps,
    private readonly confirmTopUp: ConfirmTopUp,
    private readonly savedCard: SavedCard,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<TopUpAnswer> {
    return this.autoTopUps.show(accountId);
  }

  @Put()
  async change(
    @Body({ schema: topUpBody }) settings: TopUpBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<TopUpAnswer> {
    return this.autoTopUps.change(accountId, settings, address);
  }

  /** Opens the page on which a card is saved; counts as a checkout. */
  @Post('card')
  @HttpCode(200)
  async openSetup(@SignedIn() { accountId }: SessionAccount): Promise<CardSetupAnswer> {
    await this.actionLimits.takeCheckout(accountId);
    return this.savedCard.openPage(accountId);
  }

  /**
   * Stores the card when the browser comes back from that page, if its event has not arrived yet.
   */
  @Post('card/:sessionId')
  @HttpCode(200)
  async saveCard(
    @SignedIn() { accountId }: SessionAccount,
    @Param('sessionId') sessionId: string,
  ): Promise<TopUpAnswer> {
    await this.savedCard.save(sessionId, accountId);
    return this.autoTopUps.show(accountId);
  }

  @Delete('card')
  async removeCard(@SignedIn() { accountId }: SessionAccount, @ClientAddress() address: string): Promise<TopUpAnswer> {
    await this.savedCard.remove(accountId, address);
    return this.autoTopUps.show(accountId);
  }

  @Get('attempts')
  async attempts(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<TopUpsAnswer> {
    return this.autoTopUps.page(accountId, page);
  }

  /** Begins the confirmation of a charge; the browser goes to `url`. */
  @Post('attempts/:id/confirm')
  @HttpCode(200)
  async confirm(
    @SignedIn() { accountId }: SessionAccount,
    @Param('id', topUpId) id: string,
  ): Promise<TopUpStatusAnswer> {
    return this.confirmTopUp.confirm(accountId, id);
  }

  /** The browser comes back from the confirmation. */
  @Post('attempts/:id/settle')
  @HttpCode(200)
  async settle(
    @SignedIn() { accountId }: SessionAccount,
    @Param('id', topUpId) id: string,
  ): Promise<TopUpStatusAnswer> {
    return this.confirmTopUp.refresh(accountId, id);
  }
}
