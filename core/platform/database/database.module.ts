import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { dataSourceOptions } from './data-source.js';
import { Shards } from './shards.js';
import { Postgres } from './postgres.js';

/** The process's only pool. Features register the entities that they own. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.database),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [
    Postgres,
    {
      provide: Shards,
      inject: [DataSource, Config, Logger],
      useFactory: (dataSource: DataSource, config: Config, logger: Logger) => Shards.over(dataSource, config, logger),
    },
  ],
  exports: [Postgres, Shards],
})
export class DatabaseModule {}
