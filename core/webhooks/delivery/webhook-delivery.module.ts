import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { Config } from '../../platform/config/config.js';
import { EncryptionModule } from '../../platform/crypto/encryption.js';
import { CreditsModule } from '../../credits/credits.module.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import { GuardedClient } from '../http/guarded-client.js';
import { LookForLowCredits } from '../look-for-low-credits.js';
import { LowCreditsRepository } from '../low-credits.repository.js';
import { WebhookRetention } from '../webhook-retention.js';
import { WebhookRetentionRepository } from '../webhook-retention.repository.js';
import { WebhooksModule } from '../webhooks.module.js';
import { CALL_TIMEOUT_MS } from './call-timeout.js';
import { Claims } from './claims.js';
import { DeliverWebhook } from './deliver-webhook.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';
import { Outcomes } from './outcomes.js';
import { RecoverWebhooks } from './recover-webhooks.js';

const useCases = [DeliverWebhook, RecoverWebhooks, LookForLowCredits, WebhookRetention];

/** Webhooks as the worker needs them. */
@Module({
  imports: [WebhooksModule, AccountsModule, CreditsModule, EncryptionModule],
  providers: [
    ...useCases,
    Claims,
    Outcomes,
    DueDeliveriesRepository,
    DeliveriesRepository,
    EndpointsRepository,
    WebhookSecrets,
    LowCreditsRepository,
    WebhookRetentionRepository,
    {
      provide: GuardedClient,
      inject: [Config],
      useFactory: ({ webhooks }: Config) =>
        new GuardedClient({ allowPrivate: webhooks.allowPrivate, timeoutMs: CALL_TIMEOUT_MS }),
    },
  ],
  exports: useCases,
})
export class WebhookDeliveryModule implements OnApplicationShutdown {
  constructor(@Inject(GuardedClient) private readonly client: GuardedClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
