import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText, type ErrorCode } from '#contract/errors.js';
import {
  type SessionAnswer,
  confirmBody,
  logInBody,
  signUpBody,
  type ConfirmBody,
  type LogInBody,
  type SignUpAnswer,
  type SignUpBody,
} from '#contract/account.js';
import { signUpFault, signUpFields } from '#contract/sign-up-fields.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SignIn } from '#core/accounts/sign-in/sign-in.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { isSendableText } from '#core/rules/message-text.js';
import { DeviceCookie, SameOriginGuard, SessionCookie, SessionGuard, SignedIn } from './session.guard.js';
import { SignInLimits } from '../http/rate-limits.js';

/** POST /auth/signup, /auth/login and /auth/confirm with e-mail address and password, when the operator has enabled them. */
@Controller('auth')
@UseGuards(SameOriginGuard)
export class CustomSignInController {
  constructor(
    private readonly config: Config,
    private readonly limits: SignInLimits,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly device: DeviceCookie,
  ) {}

  @Post('signup')
  @HttpCode(201)
  async signUp(
    @Body({ schema: signUpBody }) body: SignUpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignUpAnswer> {
    const fields = signUpFields(body);
    refuse(signUpFault(fields) ?? textFault(fields.username, fields.email));
    this.refuseWhenOff();
    await this.limits.take(request.ip, fields.email);
    const { accountId, notice } = await this.signIn.signUpWithPassword(fields, normalAddress(request.ip));
    await this.startSession(accountId, request, reply);
    return {
      id: accountId,
      email: fields.email,
      displayName: fields.username,
      ...(notice && { notice: errorText(notice.code, notice.detail) }),
    };
  }

  @Post('login')
  @HttpCode(200)
  async logIn(
    @Body({ schema: logInBody }) body: LogInBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const [email, password] = [(body.email ?? '').trim(), body.password ?? ''];
    if (!email || !password) refuse('fields_mandatory');
    refuse(textFault(email));
    this.refuseWhenOff();
    await this.limits.take(request.ip, email);
    const account = await this.signIn.withPassword(email, password);
    await this.limits.reset(email);
    await this.startSession(account.id, request, reply);
    return { id: account.id, email: account.email, displayName: account.displayName };
  }

  /** Confirms the password of the signed-in user, which counts as a fresh sign-in. */
  @Post('confirm')
  @HttpCode(204)
  @UseGuards(SessionGuard)
  async confirm(
    @Body({ schema: confirmBody }) { password }: ConfirmBody,
    @SignedIn() account: SessionAccount,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    this.refuseWhenOff();
    await this.limits.take(request.ip, account.email);
    await this.signIn.confirmPassword(account.accountId, password);
    await this.limits.reset(account.email);
    await this.sessions.confirm(account, normalAddress(request.ip));
  }

  private refuseWhenOff(): void {
    if (!this.config.signIn.customEnabled) refuse('custom_sign_in_off');
  }

  private async startSession(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const earlierToken = this.cookie.read(request);
    const client = this.device.clientOf(request);
    this.device.set(reply, client.token);
    this.cookie.set(reply, await this.sessions.start(accountId, { method: 'password', earlierToken, client }));
    void reply.header('Cache-Control', 'no-store');
  }
}

/** Throws the code, whose text needs no detail. */
function refuse(code: ErrorCode | undefined): void {
  if (code) throw new DomainError(code, errorText(code, ''));
}

/** Postgres cannot store NUL or half a surrogate pair. */
function textFault(...texts: string[]): ErrorCode | undefined {
  return texts.every(isSendableText) ? undefined : 'invalid_request';
}
