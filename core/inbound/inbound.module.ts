import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CountInbound } from './count-inbound.js';
import { Forwarding } from './forwarding.js';
import { InboundRetention } from './inbound-retention.js';
import { InboundMessagesRepository } from './inbound-messages.repository.js';
import { InboundReceiptsRepository } from './inbound-receipts.repository.js';
import { InboundErasureRepository } from './inbound-erasure.repository.js';
import { Intake } from './intake.js';
import { OptOuts } from './opt-outs.js';
import { OptOutsRepository } from './opt-outs.repository.js';
import { ReceiveMessage } from './receive-message.js';
import { RecoverHeld } from './recover-held.js';
import { ReleaseHeld } from './release-held.js';

const useCases = [ReceiveMessage, ReleaseHeld, RecoverHeld, OptOuts, CountInbound, InboundRetention];

/** Replies: received, held, forwarded; and who does not want to hear from us. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule, WebhooksModule],
  providers: [
    ...useCases,
    Intake,
    Forwarding,
    InboundMessagesRepository,
    InboundReceiptsRepository,
    InboundErasureRepository,
    OptOutsRepository,
  ],
  exports: useCases,
})
export class InboundModule {}
