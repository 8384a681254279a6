import {
  Controller,
  Get,
  Query,
  UseGuards,
  type StreamableFile,
  Body,
  Post,
  Res,
  HttpCode,
  Param,
} from '@nestjs/common';
import {
  type BillingAnswer,
  billingQuery,
  type BillingQuery,
  type CheckoutAnswer,
  checkoutBody,
  type CheckoutBody,
  type CheckoutStatusAnswer,
} from '#contract/billing.js';
import {
  ledgerFilter,
  ledgerQuery,
  type CreditsAnswer,
  type LedgerAnswer,
  type LedgerFilter,
  type LedgerQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Payments } from '#core/billing/payments.js';
import { Credits } from '#core/credits/credits.js';
import { LedgerExport } from '#core/credits/ledger-export.js';
import { LedgerHistory } from '#core/credits/ledger-history.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { refuseForeignId, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload, jsonLinesDownload } from './downloads.js';
import type { FastifyReply } from 'fastify';
import {
  redeemCodeBody,
  redeemMessage,
  redeemStatuses,
  type RedeemCodeAnswer,
  type RedeemCodeBody,
} from '#contract/credits.js';
import { RedeemCodes } from '#core/billing/redeem-codes.js';
import { Checkouts } from '#core/billing/checkouts.js';
import { IdempotencyKey } from '../http/input.js';
import { ActionLimits } from '../http/rate-limits.js';

/** /api/dashboard/credits, /ledger, /ledger.csv, /ledger.jsonl and /billing */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class CreditsController {
  constructor(
    private readonly credits: Credits,
    private readonly ledgerHistory: LedgerHistory,
    private readonly ledgerExport: LedgerExport,
    private readonly payments: Payments,
  ) {}

  @Get('credits')
  async totals(@SignedIn() { accountId }: SessionAccount): Promise<CreditsAnswer> {
    const { updatedAt, ...totals } = await this.credits.recordOf(accountId);
    return { ...totals, updatedAt: newYorkTimestamp(updatedAt) };
  }

  @Get('ledger')
  async ledger(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: ledgerQuery }) query: LedgerQuery,
  ): Promise<LedgerAnswer> {
    return this.ledgerHistory.page(accountId, query);
  }

  @Get('ledger.csv')
  async ledgerCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: ledgerFilter }) filter: LedgerFilter,
  ): Promise<StreamableFile> {
    return csvDownload('ledger', await this.ledgerHistory.csv(accountId, filter));
  }

  /** The whole ledger with its seals, which the customer can verify. */
  @Get('ledger.jsonl')
  ledgerProof(@SignedIn() { accountId }: SessionAccount): StreamableFile {
    return jsonLinesDownload('ledger', this.ledgerExport.file(accountId));
  }

  @Get('billing')
  async billing(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<BillingAnswer> {
    return this.payments.page(accountId, page);
  }
}

/** POST /api/redeemcode */
@Controller('api/redeemcode')
@UseGuards(SessionGuard)
export class RedeemCodeController {
  constructor(private readonly redeemCodes: RedeemCodes) {}

  @Post()
  async redeem(
    @SignedIn() account: SessionAccount,
    @Body({ schema: redeemCodeBody }) { uid, code }: RedeemCodeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RedeemCodeAnswer> {
    refuseForeignId(account, uid);
    const outcome = await this.redeemCodes.redeem(account.accountId, code ?? '');
    reply.status(redeemStatuses[outcome.kind]);
    if (outcome.kind === 'too_many') reply.header('Retry-After', String(outcome.retryAfterSeconds));
    return { message: redeemMessage(outcome) };
  }
}

/** POST /api/checkout and GET /api/checkout/{sessionId} */
@Controller('api/checkout')
@UseGuards(SessionGuard)
export class CheckoutController {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Post()
  @HttpCode(200)
  async start(
    @SignedIn() account: SessionAccount,
    @Body({ schema: checkoutBody }) { userId, ...purchase }: CheckoutBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<CheckoutAnswer> {
    const { accountId } = account;
    refuseForeignId(account, userId);
    await this.actionLimits.takeCheckout(accountId);
    return this.checkouts.open({ ...purchase, accountId, idempotencyKey });
  }

  @Get(':sessionId')
  async settle(
    @SignedIn() { accountId }: SessionAccount,
    @Param('sessionId') sessionId: string,
  ): Promise<CheckoutStatusAnswer> {
    return this.checkouts.settle(accountId, sessionId);
  }
}
