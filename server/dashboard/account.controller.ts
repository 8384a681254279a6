import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import {
  createKeyBody,
  type CreateKeyBody,
  type KeysAnswer,
  namedKeyBody,
  type NamedKeyBody,
  type NamedKeysAnswer,
  type NamedKeySecretAnswer,
  revokeKeyQuery,
  rotateKeyBody,
  type KeyScheduledAnswer,
  type RevokeKeyQuery,
  type RotateKeyBody,
  type WelcomeAnswer,
  type WelcomeEmailAnswer,
  welcomeEmailBody,
  type WelcomeEmailBody,
} from '#contract/account.js';
import {
  type ApiRequestChoices,
  apiRequestsQuery,
  type ApiRequestsAnswer,
  type ApiRequestsQuery,
} from '#contract/dashboard.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { NamedKeys, type KeyChanger } from '#core/keys/named-keys.js';
import { EndKeys } from '#core/messages/status/end-keys.js';
import { KeySchedules } from '#core/messages/status/key-schedules.js';
import { RequestLog } from '#core/accounts/request-log.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ClientAddress, FreshSignInGuard, SessionGuard, SignedIn } from '../auth/session.guard.js';

const keyId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('key_not_found', 'No key has this id.'),
});

/**
 * /api/dashboard/key, /api/dashboard/keys, /api/dashboard/requests, its /choices and
 * /api/welcomeemail
 */
@Controller('api')
export class AccountController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly namedKeys: NamedKeys,
    private readonly endKeys: EndKeys,
    private readonly keySchedules: KeySchedules,
    private readonly requestLog: RequestLog,
    private readonly welcomeMails: WelcomeMails,
  ) {}

  @Get('dashboard/key')
  @UseGuards(SessionGuard)
  async keys(@SignedIn() { accountId }: SessionAccount): Promise<KeysAnswer> {
    const { createdAt, lastUsedAt, earlier, ...key } = await this.apiKeys.list(accountId);
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

  @Post('dashboard/key/rotate')
  @HttpCode(200)
  @UseGuards(SessionGuard, FreshSignInGuard)
  async rotate(
    @Body({ schema: rotateKeyBody }) { keepOldForHours, cancel_scheduled: cancel = false }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<KeysAnswer> {
    const { canceled } = await this.endKeys.rotateDefault(account.accountId, keepOldForHours, cancel, address);
    return { ...(await this.keys(account)), canceled };
  }

  @Get('dashboard/key/scheduled')
  @UseGuards(SessionGuard)
  async scheduled(@SignedIn() { accountId }: SessionAccount): Promise<KeyScheduledAnswer> {
    return { messages: await this.keySchedules.count(accountId, await this.apiKeys.defaultId(accountId)) };
  }

  /** The account's calls of the last days. */
  @Get('dashboard/requests')
  @UseGuards(SessionGuard)
  async requests(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: apiRequestsQuery }) query: ApiRequestsQuery,
  ): Promise<ApiRequestsAnswer> {
    return this.requestLog.page(accountId, query);
  }

  /** Choices of the filters of calls. */
  @Get('dashboard/requests/choices')
  @UseGuards(SessionGuard)
  async requestChoices(@SignedIn() { accountId }: SessionAccount): Promise<ApiRequestChoices> {
    return this.requestLog.choices(accountId);
  }

  @Get('dashboard/keys')
  @UseGuards(SessionGuard)
  async namedList(@SignedIn() { accountId }: SessionAccount): Promise<NamedKeysAnswer> {
    return { keys: await this.namedKeys.list(accountId) };
  }

  @Post('dashboard/keys')
  @HttpCode(200)
  @UseGuards(SessionGuard, FreshSignInGuard)
  async create(
    @Body({ schema: createKeyBody }) body: CreateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeySecretAnswer> {
    const { secret } = await this.namedKeys.create(owner(account, address), body);
    return { secret, ...(await this.namedList(account)) };
  }

  @Put('dashboard/keys/:keyId')
  @UseGuards(SessionGuard)
  async change(
    @Param('keyId', keyId) id: string,
    @Body({ schema: namedKeyBody }) body: NamedKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeysAnswer> {
    await this.namedKeys.change(owner(account, address), id, body);
    return this.namedList(account);
  }

  @Post('dashboard/keys/:keyId/rotate')
  @HttpCode(200)
  @UseGuards(SessionGuard, FreshSignInGuard)
  async rotateNamed(
    @Param('keyId', keyId) id: string,
    @Body({ schema: rotateKeyBody }) { keepOldForHours, cancel_scheduled: cancel = false }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeySecretAnswer> {
    const rotated = await this.endKeys.rotate(owner(account, address), id, keepOldForHours, cancel);
    return { ...rotated, ...(await this.namedList(account)) };
  }

  @Get('dashboard/keys/:keyId/scheduled')
  @UseGuards(SessionGuard)
  async namedScheduled(
    @Param('keyId', keyId) id: string,
    @SignedIn() { accountId }: SessionAccount,
  ): Promise<KeyScheduledAnswer> {
    return { messages: await this.keySchedules.count(accountId, id) };
  }

  @Delete('dashboard/keys/:keyId/earlier')
  @UseGuards(SessionGuard)
  async endOldSecrets(
    @Param('keyId', keyId) id: string,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeysAnswer> {
    await this.namedKeys.endOldSecrets(owner(account, address), id);
    return this.namedList(account);
  }

  @Delete('dashboard/keys/:keyId')
  @UseGuards(SessionGuard)
  async revoke(
    @Param('keyId', keyId) id: string,
    @Query({ schema: revokeKeyQuery }) { cancel_scheduled: cancel }: RevokeKeyQuery,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeysAnswer> {
    const { canceled } = await this.endKeys.revoke(owner(account, address), id, cancel);
    return { ...(await this.namedList(account)), canceled };
  }

  /** State of the welcome to a new account. */
  @Get('dashboard/welcome')
  @UseGuards(SessionGuard)
  async welcomeState(@SignedIn() { accountId, email }: SessionAccount): Promise<WelcomeAnswer> {
    return this.welcomeMails.stateOf(accountId, email);
  }

  /**
   * Sends the welcome email to the session's own address, once, and again when it could not be
   * sent.
   */
  @Post('welcomeemail')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async welcome(
    @SignedIn() { accountId: id, email, displayName }: SessionAccount,
    @Body({ schema: welcomeEmailBody }) { to }: WelcomeEmailBody,
  ): Promise<WelcomeEmailAnswer> {
    if (to !== undefined && to.toLowerCase() !== email.toLowerCase())
      throw new DomainError('foreign_account', 'The welcome email can only be sent to your own address.');
    const result = await this.welcomeMails.send({ id, email, displayName }).catch((cause: unknown) => {
      throw new DomainError('mail_failed', "The email couldn't be queued.", { cause, retryAfterSeconds: 5 });
    });
    return {
      success: 'true',
      message: result === 'sent' ? 'The welcome email was already sent.' : 'The welcome email is on its way.',
    };
  }
}

function owner({ accountId }: SessionAccount, address: string): KeyChanger {
  return { actor: 'account', accountId, address };
}
