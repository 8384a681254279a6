import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText, type ErrorCode } from '#contract/errors.js';
import {
  changePasswordBody,
  type ChangePasswordBody,
  confirmBody,
  type ConfirmBody,
  forgotPasswordBody,
  type ForgotPasswordBody,
  logInBody,
  type LogInBody,
  resetPasswordBody,
  type ResetPasswordBody,
  type SessionAnswer,
  signUpBody,
  type SignUpBody,
  verifyEmailBody,
  type VerifyEmailBody,
} from '#contract/account.js';
import { isEmail, isPassword, signUpFault, signUpFields } from '#contract/sign-up.js';
import { Sessions, type SessionAccount } from '#core/accounts/sessions/sessions.js';
import { EmailVerification, PasswordLinks } from '#core/accounts/sign-in/email-links.js';
import { PasswordChanges } from '#core/accounts/sign-in/passwords.js';
import { SignIn } from '#core/accounts/sign-in/sign-in.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import {
  ClientAddress,
  DeviceCookie,
  SameOriginGuard,
  SessionCookie,
  SessionGuard,
  SignedIn,
  setSignInNotice,
} from './session.guard.js';
import { SignInLimits } from '../http/rate-limits.js';

/**
 * POST /auth/signup, /auth/login and /auth/confirm with email address and password, when the
 * operator has enabled them.
 */
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
  ): Promise<SessionAnswer> {
    const fields = signUpFields(body);
    refuse(signUpFault(fields));
    refuseWhenOff(this.config);
    await this.limits.takeSignUp(request.ip);
    const { accountId, lacksCredits } = await this.signIn.signUpWithPassword(fields, normalAddress(request.ip));
    await this.startSession({ id: accountId }, request, reply);
    if (lacksCredits) setSignInNotice(reply);
    return { id: accountId, email: fields.email, displayName: fields.username };
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
    refuseWhenOff(this.config);
    const { token } = this.device.clientOf(request);
    const knownDevice = (await this.sessions.knowsDevice(email, token)) ? token : undefined;
    const attempt = { address: request.ip, email, knownDevice };
    await this.limits.take(attempt);
    const account = await this.signIn.withPassword(email, password);
    await this.limits.succeeded(attempt);
    await this.startSession(account, request, reply);
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
    refuseWhenOff(this.config);
    await this.limits.takeOwn(account.email, account.accountId);
    await this.signIn.confirmPassword(account.accountId, password);
    await this.limits.resetOwn(account.email, account.accountId);
    await this.sessions.confirm(account, normalAddress(request.ip));
  }

  private async startSession(
    { id, passwordHash }: { readonly id: string; readonly passwordHash?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const earlierToken = this.cookie.read(request);
    const client = this.device.clientOf(request);
    const checked = passwordHash === undefined ? {} : { passwordHash };
    const token = await this.sessions.start(id, { method: 'password', ...checked, earlierToken, client });
    this.device.set(reply, client.token);
    this.cookie.set(reply, token);
    void reply.header('Cache-Control', 'no-store');
  }
}

/**
 * POST /auth/forgot-password, /auth/reset-password, /auth/password and /auth/verify-email…:
 * accounts with a password.
 */
@Controller('auth')
@UseGuards(SameOriginGuard)
export class PasswordController {
  constructor(
    private readonly config: Config,
    private readonly limits: SignInLimits,
    private readonly passwordLinks: PasswordLinks,
    private readonly passwordChanges: PasswordChanges,
    private readonly verification: EmailVerification,
  ) {}

  /**
   * Sends a link to set a new password. The answer is the same whether or not the address has an
   * account.
   */
  @Post('forgot-password')
  @HttpCode(204)
  async forgot(
    @Body({ schema: forgotPasswordBody }) body: ForgotPasswordBody,
    @ClientAddress() address: string,
  ): Promise<void> {
    const email = (body.email ?? '').trim();
    if (!email) refuse('fields_mandatory');
    if (!isEmail(email)) refuse('email_invalid');
    refuseWhenOff(this.config);
    await this.limits.takeLinkRequest(address);
    await this.passwordLinks.request(email, address);
  }

  /**
   * Sets a new password by the link. It starts no session: the user signs in with the new password.
   */
  @Post('reset-password')
  @HttpCode(204)
  async reset(
    @Body({ schema: resetPasswordBody }) body: ResetPasswordBody,
    @ClientAddress() address: string,
  ): Promise<void> {
    const password = newPassword(body.password);
    refuseWhenOff(this.config);
    await this.limits.takeLinkRequest(address);
    const email = await this.passwordChanges.reset(body.token ?? '', password, address);
    await this.limits.reset(email);
  }

  /** Changes the password of the signed-in user, who enters the current one. */
  @Post('password')
  @HttpCode(204)
  @UseGuards(SessionGuard)
  async change(
    @Body({ schema: changePasswordBody }) body: ChangePasswordBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<void> {
    const { current } = body;
    if (!current) refuse('fields_mandatory');
    const next = newPassword(body.password);
    refuseWhenOff(this.config);
    await this.limits.takeOwn(account.email, account.accountId);
    await this.passwordChanges.change(account, { current: current ?? '', next }, address);
    await this.limits.resetOwn(account.email, account.accountId);
    await this.limits.reset(account.email);
  }

  /** Verifies the address of the signed-in user by the link. */
  @Post('verify-email')
  @HttpCode(204)
  @UseGuards(SessionGuard)
  async verify(
    @Body({ schema: verifyEmailBody }) { token }: VerifyEmailBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<void> {
    await this.verification.verify(accountId, token, address);
  }

  /** Sends the link to verify the address again. */
  @Post('verify-email/resend')
  @HttpCode(204)
  @UseGuards(SessionGuard)
  async resend(@SignedIn() { accountId }: SessionAccount): Promise<void> {
    await this.verification.resend(accountId);
  }
}

/** Throws `custom_sign_in_off` unless the operator has enabled passwords. */
function refuseWhenOff({ signIn }: Config): void {
  if (!signIn.customEnabled) refuse('custom_sign_in_off');
}

/** Returns a new password of the specified form. Throws `fields_mandatory`, `password_invalid`. */
function newPassword(text: string | null | undefined): string {
  if (!text) refuse('fields_mandatory');
  if (!isPassword(text ?? '')) refuse('password_invalid');
  return text ?? '';
}

/** Throws the code, whose text needs no detail. */
function refuse(code: ErrorCode | undefined): void {
  if (code) throw new DomainError(code, errorText(code, ''));
}
