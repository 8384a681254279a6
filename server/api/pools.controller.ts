import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { poolDeleted, poolShown, poolsList } from '#contract/examples.js';
import {
  numberQuery,
  type PoolAnswer,
  poolBody,
  type PoolBody,
  type PoolDeletedAnswer,
  type PoolsAnswer,
} from '#contract/numbers.js';
import { Pools } from '#core/numbers/pools.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';

/**
 * POST and GET /api/pools, GET and DELETE /api/pools/{pool_id}. A test key gets examples: it changes
 * and reads nothing.
 */
@Controller('api/pools')
@UseGuards(ApiKeyGuard)
export class PoolsController {
  constructor(private readonly pools: Pools) {}

  @Post()
  @HttpCode(201)
  @ApiQuery({ schema: poolBody, scope: 'numbers' })
  async put(
    @Caller() { key, accountId, address }: ApiAccount,
    @Body({ schema: poolBody }) { name, numbers, default: isDefault }: PoolBody,
  ): Promise<PoolAnswer> {
    if (key.test) return { ...poolShown, name, test: true };
    return { success: 'true', ...(await this.pools.put(accountId, { name, numbers, isDefault, address })) };
  }

  @Get()
  @ApiQuery({ schema: numberQuery, scope: 'numbers' })
  async list(@Caller() { key, accountId }: ApiAccount): Promise<PoolsAnswer> {
    if (key.test) return { ...poolsList, test: true };
    return { success: 'true', pools: await this.pools.list(accountId) };
  }

  @Get(':poolId')
  @ApiQuery({ schema: numberQuery, scope: 'numbers' })
  async show(@Caller() { key, accountId }: ApiAccount, @Param('poolId') poolId: string): Promise<PoolAnswer> {
    if (key.test) return { ...poolShown, test: true };
    return { success: 'true', ...(await this.pools.show(accountId, poolId)) };
  }

  @Delete(':poolId')
  @ApiQuery({ schema: numberQuery, scope: 'numbers' })
  async delete(
    @Caller() { key, accountId, address }: ApiAccount,
    @Param('poolId') poolId: string,
  ): Promise<PoolDeletedAnswer> {
    if (key.test) return { ...poolDeleted, test: true };
    await this.pools.delete(accountId, poolId, address);
    return { success: 'true', pool_id: poolId, deleted: true };
  }
}
