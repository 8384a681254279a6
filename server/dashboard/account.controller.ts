import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Put,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  createKeyBody,
  type CreateKeyBody,
  type KeysAnswer,
  namedKeyBody,
  type NamedKeyBody,
  type NamedKeysAnswer,
  type NamedKeySecretAnswer,
  type ReaderKeyAnswer,
  rotateKeyBody,
  type RotateKeyBody,
  type WelcomeEmailAnswer,
  welcomeEmailBody,
  type WelcomeEmailBody,
} from '#contract/account.js';
import { ApiKeys } from '#core/accounts/api-keys.js';
import { NamedKeys, type KeyChanger } from '#core/accounts/named-keys.js';
import { WelcomeMails } from '#core/accounts/sign-in/welcome-mails.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ClientAddress, FreshSignInGuard, SessionCookie, SessionGuard, SignedIn } from '../auth/session.guard.js';

const keyId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('key_not_found', 'No key has this id.'),
});

/** /api/dashboard/key, /api/dashboard/keys, /api/dashboard/reader-key and /api/welcomeemail */
@Controller('api')
export class AccountController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly namedKeys: NamedKeys,
    private readonly welcomeMails: WelcomeMails,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
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
    @Body({ schema: rotateKeyBody }) { keepOldForHours }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<KeysAnswer> {
    await this.apiKeys.rotate(account.accountId, keepOldForHours, address);
    return this.keys(account);
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
    @Body({ schema: rotateKeyBody }) { keepOldForHours }: RotateKeyBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeySecretAnswer> {
    const secret = await this.namedKeys.rotate(owner(account, address), id, keepOldForHours);
    return { secret, ...(await this.namedList(account)) };
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
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<NamedKeysAnswer> {
    await this.namedKeys.revoke(owner(account, address), id);
    return this.namedList(account);
  }

  /**
   * Returns the test key for the samples in the documentation, a public page. Without a session the answer is 200 with a null
   * key, because browsers report a 401 as an error of the page.
   */
  @Get('dashboard/reader-key')
  @Header('Cache-Control', 'no-store')
  async readerKey(@Req() request: FastifyRequest): Promise<ReaderKeyAnswer> {
    const account = await this.sessions.find(this.cookie.read(request));
    if (!account) return { testKey: null };
    return { testKey: await this.namedKeys.samplesKey(account.accountId) };
  }

  /** Sends the welcome e-mail to the session's own address, once. */
  @Post('welcomeemail')
  @HttpCode(200)
  @UseGuards(SessionGuard)
  async welcome(
    @SignedIn() { accountId: id, email, displayName }: SessionAccount,
    @Body({ schema: welcomeEmailBody }) { to }: WelcomeEmailBody,
  ): Promise<WelcomeEmailAnswer> {
    if (to !== undefined && to.toLowerCase() !== email.toLowerCase())
      throw new DomainError('foreign_account', 'The welcome e-mail can only be sent to your own address.');
    const isFirst = await this.welcomeMails.send({ id, email, displayName }).catch((cause: unknown) => {
      throw new DomainError('mail_failed', "The e-mail couldn't be queued.", { cause, retryAfterSeconds: 5 });
    });
    return {
      success: 'true',
      message: isFirst ? 'The welcome e-mail is on its way.' : 'The welcome e-mail was already sent.',
    };
  }
}

function owner({ accountId }: SessionAccount, address: string): KeyChanger {
  return { actor: 'account', accountId, address };
}
