import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { MessagesModule } from '../messages.module.js';
import { DueMessagesRepository } from '../recovery/due-messages.repository.js';
import { Retention } from '../recovery/retention.js';
import { QueueMemory } from '../recovery/queue-memory.js';
import { RecoverMessages } from '../recovery/recover-messages.js';
import { SettleClaim } from '../recovery/settle-claim.js';
import { Carrier } from './carrier.js';
import { ClaimMessages } from './claim-messages.js';
import { DispatchMessage } from './dispatch-message.js';

const useCases = [DispatchMessage, RecoverMessages, Retention];

/** Outgoing messages as the worker needs them; the composition root says who the carrier is. */
@Module({})
export class DispatchModule {
  static over(carrier: Type<Carrier>): DynamicModule {
    return {
      module: DispatchModule,
      imports: [AccountsModule, MessagesModule],
      providers: [
        ...useCases,
        ClaimMessages,
        DueMessagesRepository,
        QueueMemory,
        SettleClaim,
        { provide: Carrier, useClass: carrier },
      ],
      exports: [...useCases, Carrier],
    };
  }
}
