import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { balanceQuery, type BalanceAnswer, type BalanceQuery } from '#contract/balance.js';
import { Credits } from '#core/credits/credits.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';

/** GET /api/balance, in credits. */
@Controller('api')
export class BalanceController {
  constructor(
    private readonly caller: ApiCaller,
    private readonly credits: Credits,
  ) {}

  @Get('balance')
  async balance(
    @Query(new ContractPipe(balanceQuery)) query: BalanceQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BalanceAnswer> {
    const accountId = await this.caller.accountOf(request, reply, query.apikey);
    return { success: 'true', ...(await this.credits.balanceOf(accountId)) };
  }
}
