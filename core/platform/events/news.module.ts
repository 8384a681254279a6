import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { RedisClient } from '../queue/redis-client.js';
import { AccountNews } from './account-news.js';
import { NewsLine } from './news-line.js';
import { PostgresNewsLine } from './postgres-news-line.js';
import { RedisNewsLine } from './redis-news-line.js';

/** News of accounts, from every process to every server: over Redis where the queues are, else over Postgres. */
@Global()
@Module({
  providers: [
    {
      provide: NewsLine,
      inject: [Config, RedisClient, Postgres, LOGGER],
      useFactory: (config: Config, client: RedisClient, postgres: Postgres, logger: Logger): NewsLine =>
        config.queue.redis ? new RedisNewsLine(client, logger) : new PostgresNewsLine(postgres, config, logger),
    },
    AccountNews,
  ],
  exports: [AccountNews, NewsLine],
})
export class NewsModule {}
