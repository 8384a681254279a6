import { Module } from '@nestjs/common';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { StripeEvents } from '#core/providers/stripe/stripe-events.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';
import { StripeController } from './stripe.controller.js';
import { TwilioController } from './twilio.controller.js';

/** Signed requests from Twilio and Stripe. */
@Module({
  imports: [MessagesModule, InboundModule],
  controllers: [TwilioController, StripeController],
  providers: [TwilioSignature, StripeEvents],
})
export class CallbacksModule {}
