import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { BulkQuoteAnswer } from '#contract/bulk.js';
import { balance as exampleBalance } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { PriceQuoteAnswer } from '#contract/messages.js';
import type { OtpQuoteAnswer } from '#contract/otp.js';
import { requireScope } from '#core/keys/api-keys.js';
import { BulkPlaces } from '#core/messages/bulk/bulk-places.js';
import { QuoteBulk } from '#core/messages/bulk/quote-bulk.js';
import { QuoteMessage } from '#core/messages/send/quote-message.js';
import { QuoteOtp } from '#core/otp/quote-otp.js';
import { parseInput } from '../http/input.js';
import { UnreadBody } from '../http/unread-body.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiUpload } from './api-key.guard.js';
import { BulkBudget } from './bulk-budget.js';
import { sendBulkFields } from './bulk.controller.js';
import { hasChannelsOfForm, quoteOtpFields } from './otp.controller.js';
import { quoteSmsFields } from './send-sms.controller.js';
import { Uploads } from './uploads.js';

/**
 * Returns the call whose body is quoted. A code is quoted by its channels: the body of a code without them lacks what
 * the body of a message needs.
 */
export function quotedCall(fields: Readonly<Record<string, unknown>>): 'sendsms' | 'sendbulk' | 'sendotp' {
  if (fields['messages'] || fields['recipients']) return 'sendbulk';
  const { channels, message, messages, recipients } = fields;
  const hasChannels = (channels ?? undefined) !== undefined || hasChannelsOfForm(fields);
  return hasChannels && (message ?? messages ?? recipients ?? undefined) === undefined ? 'sendotp' : 'sendsms';
}

/** POST /api/quote: the body of POST /api/sendsms or /api/sendbulk, or of POST /api/sendotp with channels. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class QuoteController {
  constructor(
    private readonly quoteMessage: QuoteMessage,
    private readonly bulkQuotes: QuoteBulk,
    private readonly otpQuotes: QuoteOtp,
    private readonly places: BulkPlaces,
    private readonly uploads: Uploads,
    private readonly budget: BulkBudget,
  ) {}

  @Post('quote')
  @HttpCode(200)
  @ApiUpload(['send', 'otp'])
  async quote(
    @Caller() caller: ApiAccount,
    @Req() request: FastifyRequest,
  ): Promise<PriceQuoteAnswer | BulkQuoteAnswer | OtpQuoteAnswer> {
    const { body } = request;
    if (body instanceof UnreadBody && body.bytes.length > limits.apiBodyBytesMax)
      return this.quoteBulk(caller, request);
    const fields = this.uploads.fieldsOf(request, caller);
    switch (quotedCall(fields)) {
      case 'sendsms':
        return this.quoteSms(caller, fields);
      case 'sendbulk':
        return this.quoteBulk(caller, request);
      case 'sendotp':
        return this.quoteOtp(caller, fields);
    }
  }

  private async quoteSms(caller: ApiAccount, fields: unknown): Promise<PriceQuoteAnswer> {
    requireScope('send', caller);
    const { key, address, context } = caller;
    const { to, message: text, options, files: media } = parseInput(quoteSmsFields, fields);
    const quoted = await this.quoteMessage.quote({ key, address, context, to, text, options, media });
    return {
      ...shared(quoted, key.test),
      ...(quoted.kind === 'mms' && { kind: quoted.kind }),
      encoding: quoted.encoding,
      unsupported_characters: quoted.unsupportedCharacters,
      country: quoted.country,
    };
  }

  private async quoteOtp(caller: ApiAccount, fields: unknown): Promise<OtpQuoteAnswer> {
    requireScope('otp', caller);
    const { key, address, context, accountId } = caller;
    const { to, from, org, domain, digits, channels: wanted } = parseInput(quoteOtpFields, fields);
    const code = { to, from, org, domain, digits, channels: wanted };
    const quoted = await this.otpQuotes.quote({ key, address, context, accountId, ...code });
    const { channels, credits, creditsMax, country } = quoted;
    return {
      success: 'true',
      channels: [...channels],
      credits,
      credits_max: creditsMax,
      country,
      ...moneyAfter(creditsMax, quoted, key.test),
    };
  }

  /** A bulk takes the account's place before it is read and priced, as far as its budget reaches. */
  private async quoteBulk(caller: ApiAccount, request: FastifyRequest): Promise<BulkQuoteAnswer> {
    requireScope('send', caller);
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

function shared({ quote, expiresAt, segments, credits, ...money }: Quoted, test: boolean) {
  return {
    success: 'true' as const,
    quote,
    expires_at: expiresAt.toISOString(),
    segments,
    credits,
    ...moneyAfter(credits, money, test),
  };
}

/** A test key must not reveal the account's balance. */
function moneyAfter(credits: number, money: Pick<Quoted, 'balance' | 'available'>, test: boolean) {
  const { balance, available } = test ? { ...exampleBalance, available: exampleBalance.balance } : money;
  return {
    balance,
    balance_after: credits > available ? null : balance - credits,
    ...(test && { test: true as const }),
  };
}
