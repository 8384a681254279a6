import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { Logger } from '../telemetry/logger.js';
import { RedisClient } from '../queue/redis-client.js';
import { AccountEvents } from './account-events.js';
import { PostgresPubSub, PubSub, RedisPubSub } from './pub-sub.js';

/** Account events from every process to every server: over Redis where the queues use it, else over Postgres. */
@Global()
@Module({
  providers: [
    {
      provide: PubSub,
      inject: [Config, RedisClient, Postgres, Logger],
      useFactory: (config: Config, client: RedisClient, postgres: Postgres, logger: Logger): PubSub =>
        config.queue.redis ? new RedisPubSub(client, logger) : new PostgresPubSub(postgres, config, logger),
    },
    AccountEvents,
  ],
  exports: [AccountEvents, PubSub],
})
export class AccountEventsModule {}
