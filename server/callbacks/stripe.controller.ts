import { Controller, Header, Headers, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PaymentEvents } from '#core/billing/payment-events.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { StripeEvents } from '#core/providers/stripe/stripe-card-payments.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { UnreadBody } from '../http/unread-body.js';

/**
 * POST /webhooks/stripe: signed events. After an answer other than 2xx Stripe sends the event
 * again.
 */
@Controller('webhooks/stripe')
export class StripeController {
  constructor(
    private readonly stripeEvents: StripeEvents,
    private readonly paymentEvents: PaymentEvents,
    private readonly rateLimits: ApiRateLimits,
  ) {}

  /**
   * The bytes are parsed after their signature was verified. An address with many wrong signatures
   * gets 429.
   */
  @Post()
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async event(
    @Req() request: FastifyRequest,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<void> {
    const { body } = request;
    const bytes = body instanceof UnreadBody ? body.bytes : Buffer.alloc(0);
    await this.paymentEvents.handle(await this.verified(bytes, signature ?? '', request.ip));
  }

  private async verified(bytes: Buffer, signature: string, address: string): Promise<ReturnType<StripeEvents['read']>> {
    try {
      return this.stripeEvents.read(bytes, signature);
    } catch (error) {
      if (signature !== '' && error instanceof DomainError) await this.rateLimits.takeAddress(address);
      throw error;
    }
  }
}
