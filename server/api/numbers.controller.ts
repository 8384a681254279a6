import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  availableNumbers,
  balance as exampleBalance,
  numberBought,
  numberChanged,
  numberKept,
  numberReleased,
  numberShown,
  numbersList,
} from '#contract/examples.js';
import {
  availableNumbersQuery,
  type AvailableNumbersAnswer,
  type AvailableNumbersQuery,
  buyNumberBody,
  type ChangedNumberAnswer,
  changeNumberBody,
  type ChangeNumberBody,
  type NumberAnswer,
  type NumberBoughtAnswer,
  numberQuery,
  type NumbersAnswer,
  type NumberSettingsBody,
  numbersQuery,
  type NumbersQuery,
  releaseNumberQuery,
  type ReleaseNumberQuery,
} from '#contract/numbers.js';
import { type BoughtNumber, BuyNumber } from '#core/numbers/buy-number.js';
import { NumberList } from '#core/numbers/number-list.js';
import { Numbers } from '#core/numbers/numbers.js';
import { SearchNumbers } from '#core/numbers/search-numbers.js';
import { publicNumberId } from '#core/rules/ids.js';
import type { z } from 'zod';
import { IdempotencyKey } from '../http/input.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery, required } from './api-key.guard.js';

const buyNumberFields = buyNumberBody.transform(required('number'));
const ACCEPTED = 202;

/**
 * GET /api/numbers/available, POST and GET /api/numbers, GET, PATCH and DELETE
 * /api/numbers/{number_id}. A test key gets examples: it buys, changes and reads nothing.
 */
@Controller('api/numbers')
@UseGuards(ApiKeyGuard)
export class NumbersController {
  constructor(
    private readonly searchNumbers: SearchNumbers,
    private readonly buyNumber: BuyNumber,
    private readonly numberList: NumberList,
    private readonly numbers: Numbers,
  ) {}

  @Get('available')
  @ApiQuery({ schema: availableNumbersQuery, scope: 'numbers' })
  async available(
    @Caller() { key, accountId }: ApiAccount,
    @Query() { apikey: _apikey, ...filter }: AvailableNumbersQuery,
  ): Promise<AvailableNumbersAnswer> {
    if (key.test) return { ...availableNumbers, test: true };
    return { success: 'true', numbers: await this.searchNumbers.search(accountId, filter) };
  }

  @Post()
  @HttpCode(201)
  @ApiQuery({ schema: buyNumberFields, scope: 'numbers' })
  async buy(
    @Caller() { key, accountId, keyId, address }: ApiAccount,
    @Body({ schema: buyNumberFields }) body: z.infer<typeof buyNumberFields>,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NumberBoughtAnswer> {
    const { number, label = null, auto_renew: autoRenew } = body;
    if (key.test) {
      const { number: parsed, credits } = this.buyNumber.price(number);
      return { ...numberBought, number: parsed, credits, balance: exampleBalance.balance, test: true };
    }
    const request = { accountId, keyId, number, label, autoRenew, idempotencyKey, address };
    return boughtAnswer(await this.buyNumber.buy(request), reply);
  }

  @Get()
  @ApiQuery({ schema: numbersQuery, scope: 'numbers' })
  async list(@Caller() { key, accountId }: ApiAccount, @Query() { status }: NumbersQuery): Promise<NumbersAnswer> {
    if (key.test) return { ...numbersList, test: true };
    const { numbers, max } = await this.numberList.list(accountId, status);
    return { success: 'true', numbers, numbers_max: max };
  }

  @Get(':numberId')
  @ApiQuery({ schema: numberQuery, scope: 'numbers' })
  async show(@Caller() { key, accountId }: ApiAccount, @Param('numberId') numberId: string): Promise<NumberAnswer> {
    if (key.test) return { ...numberShown, test: true };
    return { success: 'true', ...(await this.numberList.show(accountId, numberId)) };
  }

  @Patch(':numberId')
  @ApiQuery({ schema: changeNumberBody, scope: 'numbers' })
  async change(
    @Caller() { key, accountId, address }: ApiAccount,
    @Param('numberId') numberId: string,
    @Body({ schema: changeNumberBody }) body: ChangeNumberBody,
  ): Promise<ChangedNumberAnswer> {
    if (key.test) return { ...numberChanged, test: true };
    const by = { address, isFresh: false };
    return { success: 'true', ...(await this.numbers.change(accountId, numberId, changesOf(body), by)) };
  }

  @Delete(':numberId')
  @ApiQuery({ schema: releaseNumberQuery, scope: 'numbers' })
  async release(
    @Caller() { key, accountId, address }: ApiAccount,
    @Param('numberId') numberId: string,
    @Query() { at, cancel }: ReleaseNumberQuery,
  ): Promise<ChangedNumberAnswer> {
    if (key.test) return { ...(cancel ? numberKept : at === 'now' ? numberReleased : numberChanged), test: true };
    const by = { address, isFresh: false };
    const changed = cancel
      ? await this.numbers.keep(accountId, numberId, by)
      : await this.numbers.releaseAt(accountId, numberId, { at, ...by });
    return { success: 'true', ...changed };
  }
}

/** Changes of a number in a body. */
export function changesOf(body: NumberSettingsBody) {
  const { label, auto_renew: autoRenew, strangers_per_day: strangersPerDay } = body;
  return { label, autoRenew, strangersPerDay };
}

/** The answer to a purchase: 202 while the carrier has not answered. */
export function boughtAnswer(bought: BoughtNumber, reply: FastifyReply): NumberBoughtAnswer {
  const { id, number, status, renewsAt, credits, balance, replayed } = bought;
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  if (status === 'reserving') void reply.status(ACCEPTED);
  return {
    success: 'true',
    number_id: publicNumberId(id),
    number,
    status,
    renews_at: renewsAt?.toISOString() ?? null,
    credits,
    balance,
  };
}
