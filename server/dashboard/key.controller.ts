import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { rotateKeyBody, type KeysAnswer, type RotateKeyBody } from '#contract/dashboard-account.js';
import { RotateKey } from '#core/accounts/keys/rotate-key.js';
import { ShowKeys } from '#core/accounts/keys/show-keys.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/key and POST /api/dashboard/key/rotate. */
@Controller('api/dashboard/key')
@UseGuards(SessionGuard)
export class KeyController {
  constructor(
    private readonly showKeys: ShowKeys,
    private readonly rotateKey: RotateKey,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<KeysAnswer> {
    const { createdAt, lastUsedAt, earlier, ...key } = await this.showKeys.run(accountId);
    return {
      ...key,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      earlier: earlier.map((one) => ({
        masked: one.masked,
        lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
        expiresAt: one.expiresAt.toISOString(),
      })),
    };
  }

  @Post('rotate')
  @HttpCode(200)
  async rotate(
    @Body(new ContractPipe(rotateKeyBody)) { keepOldForHours }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
  ): Promise<KeysAnswer> {
    await this.rotateKey.run(account.accountId, keepOldForHours);
    return this.show(account);
  }
}
