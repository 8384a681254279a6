import { createHmac } from 'node:crypto';
import { InjectQueue } from '@nestjs/bullmq';
import { HttpException, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { countSegments } from './count-segments.js';
import { PlainAccount, PlainApiKey, PlainCreditAccount, PlainLedgerEntry, PlainMessage } from './entities.js';

const segmentsMax = 10;

export interface SendInput {
  readonly to: string;
  readonly text: string;
  readonly apiKey: string;
}

export interface SendOutput {
  readonly messageId: string;
  readonly segments: number;
  readonly credits: number;
}

type Draft = Pick<PlainMessage, 'recipient' | 'country' | 'body' | 'segments' | 'credits'>;

/** One transaction for each request: find the key, lock the credits, check, charge, store; then one job. */
@Injectable()
export class SendMessage {
  private readonly hashSecret = Buffer.from(process.env['API_KEY_HASH_SECRET'] ?? '', 'base64');

  constructor(
    private readonly dataSource: DataSource,
    @InjectQueue('plain') private readonly queue: Queue<{ messageId: string }>,
  ) {}

  async run({ to, text, apiKey }: SendInput): Promise<SendOutput> {
    const draft = draftOf(to, text);
    const keyHash = createHmac('sha256', this.hashSecret).update(apiKey).digest();
    const id = uuidv7();
    await this.dataSource.transaction((tx) => store(tx, id, keyHash, draft));
    await this.queue.add(
      'dispatch',
      { messageId: id },
      { jobId: id, attempts: 8, removeOnComplete: true, removeOnFail: true },
    );
    return { messageId: `SM${id.replaceAll('-', '')}`, segments: draft.segments, credits: draft.credits };
  }
}

async function store(tx: EntityManager, id: string, keyHash: Buffer, draft: Draft): Promise<void> {
  const key = await tx.findOneBy(PlainApiKey, { keyHash });
  if (!key) throw new HttpException('unknown_api_key', 401);
  const { accountId } = key;
  const account = await tx.findOneBy(PlainAccount, { id: accountId });
  if (!account || account.blockedAt) throw new HttpException('account_blocked', 403);

  const credit = await tx.findOne(PlainCreditAccount, { where: { accountId }, lock: { mode: 'pessimistic_write' } });
  if (!credit || BigInt(credit.balance) < draft.credits) throw new HttpException('insufficient_credits', 402);
  const price = BigInt(draft.credits);
  const balance = String(BigInt(credit.balance) - price);
  const used = String(BigInt(credit.used) + price);
  const ledgerCount = String(BigInt(credit.ledgerCount) + 1n);
  const sentCount = String(BigInt(credit.sentCount) + 1n);
  await tx.update(PlainCreditAccount, { accountId }, { balance, used, ledgerCount, sentCount });
  await tx.insert(PlainMessage, { id, accountId, number: sentCount, kind: 'sms', sender: '+15005550006', ...draft });
  await tx.insert(PlainLedgerEntry, {
    accountId,
    number: ledgerCount,
    amount: String(-price),
    balanceAfter: balance,
    kind: 'message',
    sourceId: id,
  });
}

function draftOf(to: string, text: string): Draft {
  const number = parsePhoneNumberFromString(to, { defaultCountry: 'US', extract: false });
  if (!number?.country || !number.isValid()) throw new HttpException('invalid_number', 422);
  const segments = countSegments(text);
  if (segments > segmentsMax) throw new HttpException('message_too_long', 422);
  return { recipient: number.number, country: number.country, body: text, segments, credits: segments };
}
