import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import type { BulkQuoteAnswer } from '#contract/bulk.js';
import { balance as exampleBalance } from '#contract/examples.js';
import type { PriceQuoteAnswer } from '#contract/messages.js';
import { SendBulk } from '#core/messages/bulk/send-bulk.js';
import { SendMessage } from '#core/messages/send/send-message.js';
import { parseInput } from '../http/input.js';
import { ApiBody, ApiKeyGuard, Caller, type ApiCaller } from './api-key.guard.js';
import { sendBulkFields } from './bulk.controller.js';
import { sendSmsFields } from './send-sms.controller.js';

/** The body of either call. */
const quoteFields = z.record(z.string(), z.unknown()).transform((body) => {
  if (!body['messages'] && !body['recipients']) {
    const sms = parseInput(sendSmsFields, body);
    return { sms, apikey: sms.apikey };
  }
  const bulk = parseInput(sendBulkFields, body);
  return { bulk, apikey: bulk.apikey };
});

/** POST /api/quote: the body of POST /api/sendsms or /api/sendbulk. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class QuoteController {
  constructor(
    private readonly sendMessage: SendMessage,
    private readonly sendBulk: SendBulk,
  ) {}

  @Post('quote')
  @HttpCode(200)
  @ApiBody(quoteFields)
  async quote(
    @Caller() caller: ApiCaller,
    @Body() { sms, bulk }: z.infer<typeof quoteFields>,
  ): Promise<PriceQuoteAnswer | BulkQuoteAnswer> {
    return bulk ? this.quoteBulk(caller, bulk) : this.quoteSms(caller, sms);
  }

  private async quoteSms(
    { key, address, context }: ApiCaller,
    { to, message: text, options }: z.infer<typeof sendSmsFields>,
  ): Promise<PriceQuoteAnswer> {
    const quoted = await this.sendMessage.quote({ key, address, context, to, text, options });
    return {
      ...shared(quoted, key.test),
      encoding: quoted.encoding,
      unsupported_characters: quoted.unsupportedCharacters,
      country: quoted.country,
    };
  }

  private async quoteBulk(
    { key, address, context }: ApiCaller,
    { options, ...body }: z.infer<typeof sendBulkFields>,
  ): Promise<BulkQuoteAnswer> {
    const quoted = await this.sendBulk.quote({ key, address, context, body, options });
    return { ...shared(quoted, key.test), messages: quoted.messages, rejected: [...quoted.rejected] };
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
