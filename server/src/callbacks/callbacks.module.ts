import { Module } from '@nestjs/common';
import { MessagesModule } from '#core/messages/messages.module.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';
import { TwilioStatusController } from './twilio-status.controller.js';

/** What other companies' servers call, signed. */
@Module({ imports: [MessagesModule], controllers: [TwilioStatusController], providers: [TwilioSignature] })
export class CallbacksModule {}
