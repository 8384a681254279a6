import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { BullModule, InjectQueue } from '@nestjs/bullmq';
import { Body, Controller, Get, HttpCode, HttpException, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Queue } from 'bullmq';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { Column, DataSource, Entity, PrimaryColumn, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { sendSmsBody, type SendSmsAnswer } from '#contract/messages.js';

// POST /api/sendsms as a first version would do it, on the product's own tables with their indexes and constraints.

const { DATABASE_URL = '', REDIS_URL = '', QUEUE_PREFIX = '', PORT, API_KEY_HASH_SECRET = '' } = process.env;
/** Lets the requests of 50 connections wait for each other in Postgres rather than for a connection. */
const poolMax = 20;
const segmentsMax = 10;

@Entity('accounts')
class Account {
  @PrimaryColumn('uuid') id!: string;
  @Column('timestamptz', { name: 'blocked_at', nullable: true }) blockedAt!: Date | null;
}

@Entity('api_keys')
class ApiKey {
  @PrimaryColumn('bytea', { name: 'key_hash' }) keyHash!: Buffer;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
}

/** pg reads a bigint as text. */
@Entity('credit_accounts')
class CreditAccount {
  @PrimaryColumn('uuid', { name: 'account_id' }) accountId!: string;
  @Column('bigint') balance!: string;
  @Column('bigint') used!: string;
  @Column('bigint', { name: 'ledger_count' }) ledgerCount!: string;
  @Column('bigint', { name: 'sent_count' }) sentCount!: string;
}

@Entity('ledger_entries')
class LedgerEntry {
  @PrimaryColumn('uuid', { name: 'account_id' }) accountId!: string;
  @PrimaryColumn('bigint') number!: string;
  @Column('bigint') amount!: string;
  @Column('bigint', { name: 'balance_after' }) balanceAfter!: string;
  @Column('text') kind!: string;
  @Column('text', { name: 'source_id' }) sourceId!: string;
}

@Entity('messages')
class Message {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
  @Column('bigint') number!: string;
  @Column('text') kind!: string;
  @Column('text') recipient!: string;
  @Column('text') country!: string;
  @Column('text') sender!: string;
  @Column('text') body!: string;
  @Column('smallint') segments!: number;
  @Column('integer') credits!: number;
}

type Priced = Pick<Message, 'recipient' | 'country' | 'body' | 'segments' | 'credits'>;

/** One transaction for each request: find the key, lock the credits, check, charge, store; then one job. */
@Injectable()
class SendMessage {
  private readonly hashSecret = Buffer.from(API_KEY_HASH_SECRET, 'base64');

  constructor(
    private readonly dataSource: DataSource,
    @InjectQueue('plain') private readonly queue: Queue<{ messageId: string }>,
  ) {}

  async send(to: string, text: string, apiKey: string): Promise<SendSmsAnswer> {
    const priced = price(to, text);
    const keyHash = createHmac('sha256', this.hashSecret).update(apiKey).digest();
    const id = uuidv7();
    await this.dataSource.transaction((tx) => store(tx, id, keyHash, priced));
    const options = { jobId: id, attempts: 8, removeOnComplete: true, removeOnFail: true };
    await this.queue.add('dispatch', { messageId: id }, options);
    const { segments, credits } = priced;
    return { success: 'true', message_id: `SM${id.replaceAll('-', '')}`, segments, credits };
  }
}

async function store(tx: EntityManager, id: string, keyHash: Buffer, priced: Priced): Promise<void> {
  const key = await tx.findOneBy(ApiKey, { keyHash });
  if (!key) throw new HttpException('unknown_api_key', 401);
  const { accountId } = key;
  const account = await tx.findOneBy(Account, { id: accountId });
  if (!account || account.blockedAt) throw new HttpException('account_blocked', 403);

  const credit = await tx.findOne(CreditAccount, { where: { accountId }, lock: { mode: 'pessimistic_write' } });
  if (!credit || BigInt(credit.balance) < priced.credits) throw new HttpException('insufficient_credits', 402);
  const charged = BigInt(priced.credits);
  const balance = String(BigInt(credit.balance) - charged);
  const used = String(BigInt(credit.used) + charged);
  const ledgerCount = String(BigInt(credit.ledgerCount) + 1n);
  const sentCount = String(BigInt(credit.sentCount) + 1n);
  await tx.update(CreditAccount, { accountId }, { balance, used, ledgerCount, sentCount });
  await tx.insert(Message, { id, accountId, number: sentCount, kind: 'sms', sender: '+15005550006', ...priced });
  const entry = { accountId, number: ledgerCount, amount: String(-charged), balanceAfter: balance };
  await tx.insert(LedgerEntry, { ...entry, kind: 'message', sourceId: id });
}

function price(to: string, text: string): Priced {
  const number = parsePhoneNumberFromString(to, { defaultCountry: 'US', extract: false });
  if (!number?.country || !number.isValid()) throw new HttpException('invalid_number', 422);
  const segments = countSegments(text);
  if (segments > segmentsMax) throw new HttpException('message_too_long', 422);
  return { recipient: number.number, country: number.country, body: text, segments, credits: segments };
}

// GSM-7's basic alphabet and its extension table (3GPP TS 23.038, 6.2.1); characters of the latter count twice.
const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]*$/;

function countSegments(text: string): number {
  const isGsm = gsm.test(text);
  const length = text.length + (isGsm ? (text.match(/[\^{}\\[~\]|€\f]/g)?.length ?? 0) : 0);
  const [single, each] = isGsm ? [160, 153] : [70, 67];
  return length <= single ? 1 : Math.ceil(length / each);
}

@Controller()
class PlainController {
  constructor(private readonly sendMessage: SendMessage) {}

  @Post('api/sendsms')
  @HttpCode(200)
  async send(@Body() given: unknown): Promise<SendSmsAnswer> {
    const { success, data } = sendSmsBody.safeParse(given);
    if (!success) throw new HttpException('invalid_request', 400);
    const { to, message: text, apikey: apiKey } = data;
    if (!to || !text || !apiKey) throw new HttpException('missing_fields', 400);
    return this.sendMessage.send(to, text, apiKey);
  }

  @Get('healthz')
  health(): { status: 'ok' } {
    return { status: 'ok' };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL,
      poolSize: poolMax,
      entities: [Account, ApiKey, CreditAccount, LedgerEntry, Message],
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
