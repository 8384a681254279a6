import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Backlog } from './backlog.js';
import { CarrierQueues } from './carrier-queues.js';
import { QueueControl } from './queue-control.js';
import { LocalCounters } from './postgres-backend.js';
import { QueueConnection, QueueConnectionModule, queuePrefix, RedisClient } from './redis-client.js';
import { SharedCounters } from './shared-counters.js';
import { Logger } from '../telemetry/logger.js';
import { CreditsAddedQueue, DispatchQueue, MailQueue, MediaQueue, queueNames, WebhookQueue } from './queues.js';

/**
 * Queues and counters. Connections of a worker wait for Redis; a producer's connections fail at
 * once.
 */
@Global()
@Module({})
export class QueueModule {
  static as(role: 'producer' | 'worker'): DynamicModule {
    const connection = QueueConnectionModule.as(role);
    return {
      module: QueueModule,
      imports: [
        connection,
        BullModule.forRootAsync({
          imports: [connection],
          inject: [Config, QueueConnection],
          useFactory: (config: Config, { options }: QueueConnection) => ({
            connection: options,
            prefix: queuePrefix(config),
          }),
        }),
        BullModule.registerQueue(
          { name: queueNames.dispatch },
          { name: queueNames.mail },
          { name: queueNames.webhooks },
          { name: queueNames.creditsAdded },
          { name: queueNames.media },
        ),
      ],
      providers: [
        {
          provide: SharedCounters,
          inject: [Config, Logger],
          useFactory: (config: Config, logger: Logger): SharedCounters =>
            config.queue.redis ? new RedisClient(config, config.queue.redis, logger) : new LocalCounters(),
        },
        Backlog,
        DispatchQueue,
        MailQueue,
        WebhookQueue,
        CreditsAddedQueue,
        MediaQueue,
        CarrierQueues,
        QueueControl,
      ],
      exports: [
        SharedCounters,
        Backlog,
        DispatchQueue,
        MailQueue,
        WebhookQueue,
        CreditsAddedQueue,
        MediaQueue,
        CarrierQueues,
        QueueControl,
      ],
    };
  }
}
