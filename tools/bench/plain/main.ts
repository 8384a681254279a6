import 'reflect-metadata';
import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlainAccount, PlainApiKey, PlainCreditAccount, PlainLedgerEntry, PlainMessage } from './entities.js';
import { PlainController } from './plain.controller.js';
import { SendMessage } from './send-message.js';

const { DATABASE_URL = '', REDIS_URL = '', QUEUE_PREFIX = '', PORT } = process.env;

/** Room for the requests of 50 connections to wait for each other in Postgres rather than for a connection. */
const poolMax = 20;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL,
      poolSize: poolMax,
      entities: [PlainAccount, PlainApiKey, PlainCreditAccount, PlainLedgerEntry, PlainMessage],
      synchronize: false,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
    }),
    BullModule.forRoot({ connection: { url: REDIS_URL }, prefix: `{${QUEUE_PREFIX}}` }),
    BullModule.registerQueue({ name: 'plain' }),
  ],
  controllers: [PlainController],
  providers: [SendMessage],
})
class PlainModule {}

const app = await NestFactory.create<NestFastifyApplication>(PlainModule, new FastifyAdapter(), { logger: false });
app.enableShutdownHooks();
await app.listen(Number(PORT), '127.0.0.1');
