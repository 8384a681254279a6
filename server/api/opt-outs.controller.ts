import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { optOutPage } from '#contract/examples.js';
import { type OptOutsAnswer, optOutsQuery, type OptOutsQuery } from '#contract/opt-outs.js';
import { type OptOutFilter, OptOutList } from '#core/inbound/opt-out-list.js';
import { numberOrSender } from '#core/rules/phone-numbers.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';
import { instantIn, numberIn } from './records.controller.js';

/** GET /api/optouts. A test key gets an example, not the account's data. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class OptOutsController {
  constructor(private readonly optOuts: OptOutList) {}

  @Get('optouts')
  @ApiQuery({ schema: optOutsQuery, scope: 'read' })
  async list(@Caller() { key, accountId }: ApiAccount, @Query() query: OptOutsQuery): Promise<OptOutsAnswer> {
    const filter = filterOf(query);
    if (key.test) return { ...optOutPage, test: true };
    return this.optOuts.page(accountId, filter, query.cursor);
  }
}

/** Throws `invalid_request`. */
function filterOf({ number, sender, since, until, status }: OptOutsQuery): OptOutFilter {
  return {
    ...(number !== undefined && { person: { number: numberIn('number', number) } }),
    ...(sender !== undefined && { sender: numberOrSender(sender) }),
    ...(since !== undefined && { since: instantIn('since', since) }),
    ...(until !== undefined && { until: instantIn('until', until) }),
    all: status === 'all',
  };
}
