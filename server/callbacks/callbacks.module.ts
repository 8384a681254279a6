import { Module } from '@nestjs/common';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { StripeEvents } from '#core/providers/stripe/stripe-events.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';
import { StripeController } from './stripe.controller.js';
import { TwilioInboundController } from './twilio-inbound.controller.js';
import { TwilioStatusController } from './twilio-status.controller.js';

/** What other companies' servers call, signed. */
@Module({
  imports: [MessagesModule, InboundModule],
  controllers: [TwilioStatusController, TwilioInboundController, StripeController],
  providers: [TwilioSignature, StripeEvents],
})
export class CallbacksModule {}
