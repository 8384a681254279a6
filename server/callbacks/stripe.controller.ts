import { Controller, Header, Headers, HttpCode, Post, RawBody } from '@nestjs/common';
import { HandleCardEvent } from '#core/billing/handle-card-event.js';
import { StripeEvents } from '#core/providers/stripe/stripe-events.js';

/** POST /webhooks/stripe: Stripe's signed events. Anything but 2xx has Stripe send the event again. */
@Controller('webhooks/stripe')
export class StripeController {
  constructor(
    private readonly stripeEvents: StripeEvents,
    private readonly handleCardEvent: HandleCardEvent,
  ) {}

  @Post()
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async event(
    @RawBody() body: Buffer | undefined,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<void> {
    await this.handleCardEvent.run(this.stripeEvents.read(body ?? Buffer.alloc(0), signature ?? ''));
  }
}
