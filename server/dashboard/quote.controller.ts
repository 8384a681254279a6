import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { quoteBody, type QuoteAnswer, type QuoteBody } from '#contract/quote.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { QuoteMessage } from '#core/messages/send/quote-message.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { refuseUnsendable } from '../api/message-fields.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** POST /api/dashboard/quote: what a message would be and cost, as it is typed. Sends and changes nothing. */
@Controller('api/dashboard/quote')
@UseGuards(SessionGuard)
export class QuoteController {
  constructor(private readonly quoteMessage: QuoteMessage) {}

  @Post()
  @HttpCode(200)
  quote(
    @SignedIn() { accountId }: SessionAccount,
    @Body(new ContractPipe(quoteBody)) { to, message: text }: QuoteBody,
    @Req() request: FastifyRequest,
  ): Promise<QuoteAnswer> {
    refuseUnsendable([to, text]);
    return this.quoteMessage.run({ accountId, to, text, address: request.ip });
  }
}
