import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source.js';
import { Postgres } from './postgres.js';

/** The process's one pool. Entities are registered by the features that own them. */
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
  providers: [Postgres],
  exports: [Postgres],
})
export class DatabaseModule {}
