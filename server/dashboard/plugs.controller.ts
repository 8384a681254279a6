import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, UseGuards } from '@nestjs/common';
import type { z } from 'zod';
import {
  createPlugBody,
  type PlugsAnswer,
  type PlugSecretAnswer,
  rotatePlugBody,
  type RotatePlugBody,
} from '#contract/plugs.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Plugs } from '#core/keys/plugs.js';
import { ClientAddress, FreshSignInGuard, SessionGuard, SignedIn } from '../auth/session.guard.js';

const keyId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('key_not_found', 'Your account has no plug with this id.'),
});

/** /api/dashboard/plugs. A plug ends with its key: DELETE /api/dashboard/keys/{id}. */
@Controller('api/dashboard/plugs')
@UseGuards(SessionGuard)
export class PlugsController {
  constructor(private readonly plugs: Plugs) {}

  @Get()
  async list(@SignedIn() { accountId }: SessionAccount): Promise<PlugsAnswer> {
    return { plugs: await this.plugs.list(accountId) };
  }

  @Post()
  @HttpCode(200)
  @UseGuards(FreshSignInGuard)
  async create(
    @Body({ schema: createPlugBody }) body: z.output<typeof createPlugBody>,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<PlugSecretAnswer> {
    const { accountId } = account;
    const created = await this.plugs.create({ actor: 'account', accountId, address }, body);
    return { ...created, ...(await this.list(account)) };
  }

  @Post(':keyId/rotate')
  @HttpCode(200)
  @UseGuards(FreshSignInGuard)
  async rotate(
    @Param('keyId', keyId) id: string,
    @Body({ schema: rotatePlugBody }) { secret: given }: RotatePlugBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<PlugSecretAnswer> {
    const { accountId } = account;
    const secret = await this.plugs.rotate({ actor: 'account', accountId, address }, id, given);
    return { keyId: id, secret, ...(await this.list(account)) };
  }
}
