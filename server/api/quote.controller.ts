import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { BulkQuoteAnswer } from '#contract/bulk.js';
import { balance as exampleBalance } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { PriceQuoteAnswer } from '#contract/messages.js';
import { BulkPlaces } from '#core/messages/bulk/bulk-places.js';
import { QuoteBulk } from '#core/messages/bulk/quote-bulk.js';
import { QuoteMessage } from '#core/messages/send/quote-message.js';
import { parseInput } from '../http/input.js';
import { UnreadBody } from '../http/unread-body.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiUpload } from './api-key.guard.js';
import { BulkBudget } from './bulk-budget.js';
import { sendBulkFields } from './bulk.controller.js';
import { quoteSmsFields } from './send-sms.controller.js';
import { Uploads } from './uploads.js';

/** POST /api/quote: the body of POST /api/sendsms or /api/sendbulk. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class QuoteController {
  constructor(
    private readonly quoteMessage: QuoteMessage,
    private readonly bulkQuotes: QuoteBulk,
    private readonly places: BulkPlaces,
    private readonly uploads: Uploads,
    private readonly budget: BulkBudget,
  ) {}

  @Post('quote')
  @HttpCode(200)
  @ApiUpload('send')
  async quote(
    @Caller() caller: ApiAccount,
    @Req() request: FastifyRequest,
  ): Promise<PriceQuoteAnswer | BulkQuoteAnswer> {
    const { body } = request;
    if (body instanceof UnreadBody && body.bytes.length > limits.apiBodyBytesMax)
      return this.quoteBulk(caller, request);
    const fields = this.uploads.fieldsOf(request, caller);
    if (fields['messages'] || fields['recipients']) return this.quoteBulk(caller, request);
    return this.quoteSms(caller, parseInput(quoteSmsFields, fields));
  }

  private async quoteSms(
    { key, address, context }: ApiAccount,
    { to, message: text, options, files: media }: z.infer<typeof quoteSmsFields>,
  ): Promise<PriceQuoteAnswer> {
    const quoted = await this.quoteMessage.quote({ key, address, context, to, text, options, media });
    return {
      ...shared(quoted, key.test),
      ...(quoted.kind === 'mms' && { kind: quoted.kind }),
      encoding: quoted.encoding,
      unsupported_characters: quoted.unsupportedCharacters,
      country: quoted.country,
    };
  }

  /** A bulk takes the account's place before it is read and priced, as far as its budget reaches. */
  private async quoteBulk(caller: ApiAccount, request: FastifyRequest): Promise<BulkQuoteAnswer> {
    const leave = await this.places.enter(caller.accountId);
    try {
      const { fields } = await this.budget.read(request, caller);
      const { options, files: media, ...body } = parseInput(sendBulkFields, fields);
      const quoted = await this.bulkQuotes.quote({ ...caller, body, options, media });
      return {
        ...shared(quoted, caller.key.test),
        ...(quoted.kind === 'mms' && { kind: quoted.kind }),
        messages: quoted.messages,
        rejected: [...quoted.rejected],
      };
    } finally {
      leave();
    }
  }
}

interface Quoted {
  readonly quote: string;
  readonly expiresAt: Date;
  readonly segments: number;
  readonly credits: number;
  readonly balance: number;
  readonly available: number;
}

/** A test key must not reveal the account's balance. */
function shared({ quote, expiresAt, segments, credits, ...money }: Quoted, test: boolean) {
  const { balance, available } = test ? { ...exampleBalance, available: exampleBalance.balance } : money;
  return {
    success: 'true' as const,
    quote,
    expires_at: expiresAt.toISOString(),
    segments,
    credits,
    balance,
    balance_after: credits > available ? null : balance - credits,
    ...(test && { test: true as const }),
  };
}
