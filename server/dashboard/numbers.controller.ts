import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  type AvailableNumbersAnswer,
  availableNumbersFilter,
  type AvailableNumbersFilter,
  buyNumberBody,
  type ChangedNumberAnswer,
  type DashboardReleaseQuery,
  dashboardReleaseQuery,
  type NumberAnswer,
  type NumberBoughtAnswer,
  type NumbersAnswer,
  numberSettingsBody,
  type NumberSettingsBody,
  numbersFilter,
  type NumbersFilter,
  type PoolAnswer,
  poolBody,
  type PoolBody,
  type PoolDeletedAnswer,
  type PoolsAnswer,
} from '#contract/numbers.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { BuyNumber } from '#core/numbers/buy-number.js';
import { NumberList } from '#core/numbers/number-list.js';
import { Numbers } from '#core/numbers/numbers.js';
import { Pools } from '#core/numbers/pools.js';
import { SearchNumbers } from '#core/numbers/search-numbers.js';
import type { z } from 'zod';
import { required } from '../api/api-key.guard.js';
import { boughtAnswer, changesOf } from '../api/numbers.controller.js';
import { assertFresh, ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { IdempotencyKey } from '../http/input.js';

const boughtFields = buyNumberBody.omit({ apikey: true }).transform(required('number'));
const poolFields = poolBody.omit({ apikey: true });

/** /api/dashboard/numbers and /api/dashboard/pools: the calls of /api/numbers and /api/pools */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class DashboardNumbersController {
  constructor(
    private readonly searchNumbers: SearchNumbers,
    private readonly buyNumber: BuyNumber,
    private readonly numberList: NumberList,
    private readonly numbers: Numbers,
    private readonly pools: Pools,
  ) {}

  @Get('numbers/available')
  async available(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: availableNumbersFilter }) filter: AvailableNumbersFilter,
  ): Promise<AvailableNumbersAnswer> {
    return { success: 'true', numbers: await this.searchNumbers.search(accountId, filter) };
  }

  @Get('numbers')
  async list(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: numbersFilter }) { status }: NumbersFilter,
  ): Promise<NumbersAnswer> {
    const { numbers, max } = await this.numberList.list(accountId, status);
    return { success: 'true', numbers, numbers_max: max };
  }

  @Post('numbers')
  @HttpCode(201)
  async buy(
    @SignedIn() { accountId }: SessionAccount,
    @Body({ schema: boughtFields }) { number, label = null, auto_renew: autoRenew }: z.infer<typeof boughtFields>,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @ClientAddress() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NumberBoughtAnswer> {
    const request = { accountId, keyId: null, number, label, autoRenew, idempotencyKey, address };
    return boughtAnswer(await this.buyNumber.buy(request), reply);
  }

  @Get('numbers/:numberId')
  async show(@SignedIn() { accountId }: SessionAccount, @Param('numberId') numberId: string): Promise<NumberAnswer> {
    return { success: 'true', ...(await this.numberList.show(accountId, numberId)) };
  }

  @Put('numbers/:numberId')
  async change(
    @SignedIn() { accountId, isFresh }: SessionAccount,
    @Param('numberId') numberId: string,
    @Body({ schema: numberSettingsBody }) body: NumberSettingsBody,
    @ClientAddress() address: string,
  ): Promise<ChangedNumberAnswer> {
    const by = { address, isFresh };
    return { success: 'true', ...(await this.numbers.change(accountId, numberId, changesOf(body), by)) };
  }

  @Delete('numbers/:numberId')
  async release(
    @SignedIn() { accountId, isFresh }: SessionAccount,
    @Param('numberId') numberId: string,
    @Query({ schema: dashboardReleaseQuery }) { at, cancel }: DashboardReleaseQuery,
    @ClientAddress() address: string,
  ): Promise<ChangedNumberAnswer> {
    if (cancel) return { success: 'true', ...(await this.numbers.keep(accountId, numberId, { address, isFresh })) };
    if (at === 'now') assertFresh(isFresh);
    const when =
      at === 'in_a_day' ? ({ at: 'now', isFresh: false, address } as const) : ({ at, isFresh, address } as const);
    return { success: 'true', ...(await this.numbers.releaseAt(accountId, numberId, when)) };
  }

  @Get('pools')
  async listPools(@SignedIn() { accountId }: SessionAccount): Promise<PoolsAnswer> {
    return { success: 'true', pools: await this.pools.list(accountId) };
  }

  @Put('pools')
  async putPool(
    @SignedIn() { accountId }: SessionAccount,
    @Body({ schema: poolFields }) { name, numbers, default: isDefault }: Omit<PoolBody, 'apikey'>,
    @ClientAddress() address: string,
  ): Promise<PoolAnswer> {
    return { success: 'true', ...(await this.pools.put(accountId, { name, numbers, isDefault, address })) };
  }

  @Delete('pools/:poolId')
  async deletePool(
    @SignedIn() { accountId }: SessionAccount,
    @Param('poolId') poolId: string,
    @ClientAddress() address: string,
  ): Promise<PoolDeletedAnswer> {
    await this.pools.delete(accountId, poolId, address);
    return { success: 'true', pool_id: poolId, deleted: true };
  }
}
