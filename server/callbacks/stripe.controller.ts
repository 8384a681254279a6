import { Controller, Header, Headers, HttpCode, Post, RawBody, type RawBodyRequest } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { limits } from '#contract/limits.js';
import { PaymentEvents } from '#core/billing/payment-events.js';
import { StripeEvents } from '#core/providers/stripe/stripe-card-payments.js';

const STRIPE_PATH = /^\/webhooks\/stripe(\?|$)/;

/** POST /webhooks/stripe: signed events. After an answer other than 2xx Stripe sends the event again. */
@Controller('webhooks/stripe')
export class StripeController {
  constructor(
    private readonly stripeEvents: StripeEvents,
    private readonly paymentEvents: PaymentEvents,
  ) {}

  @Post()
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async event(
    @RawBody() body: Buffer | undefined,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<void> {
    await this.paymentEvents.handle(this.stripeEvents.read(body ?? Buffer.alloc(0), signature ?? ''));
  }
}

/**
 * Fastify hook that keeps the raw body for the signature. Nest's `rawBody: true` would keep a copy of every request's body.
 * Stops at the size limit, where the parser rejects the body.
 */
export function keepRawBody(
  request: RawBodyRequest<FastifyRequest>,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: null, payload: RequestPayload) => void,
): void {
  if (STRIPE_PATH.test(request.url)) {
    const chunks: Buffer[] = [];
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limits.stripeEventBytesMax) chunks.push(chunk);
    });
    payload.on('end', () => {
      request.rawBody = Buffer.concat(chunks);
    });
  }
  done(null, payload);
}
