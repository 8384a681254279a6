import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { pasted } from '#contract/characters.js';
import { testTotp } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import {
  createTotpBody,
  type CreateTotpAnswer,
  type RecoveryCodesAnswer,
  type TotpAnswer,
  type TotpDeletedAnswer,
  totpQuery,
  type TotpsAnswer,
  totpsQuery,
  type TotpsQuery,
  verifyTotpBody,
  type VerifyTotpAnswer,
} from '#contract/totp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { publicTotpId } from '#core/rules/ids.js';
import { totpNameFault } from '#core/rules/totp.js';
import { otpauthUrl, qrSvg, type TotpNames } from '#core/totp/app-codes.js';
import { attemptsLeftOf, type TotpJudgement } from '#core/totp/judge-code.js';
import { shownRecoveryCode } from '#core/totp/recovery-codes.js';
import { assertTestTotp, judgeTestCode, testRecoveryCodes, testTotpView } from '#core/totp/test-totps.js';
import { Totps } from '#core/totp/totps.js';
import { VerifyTotp } from '#core/totp/verify-totp.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery, required } from './api-key.guard.js';

const createTotpFields = createTotpBody
  .transform(({ label, issuer, apikey }) => ({ ...namesOf(label, issuer), apikey: apikey ?? undefined }))
  .transform(required('label'));

const verifyTotpFields = verifyTotpBody
  .transform(({ code, apikey }) => ({ code, apikey: apikey ?? undefined }))
  .transform(required('code'));

/**
 * POST and GET /api/totp, GET and DELETE /api/totp/{totp_id}, POST /api/totp/{totp_id}/verify and
 * /recovery-codes. A test key has one authenticator, which nothing changes.
 */
@Controller('api/totp')
@UseGuards(ApiKeyGuard)
export class TotpController {
  constructor(
    private readonly totps: Totps,
    private readonly verifyTotp: VerifyTotp,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiQuery({ schema: createTotpFields, scope: 'otp' })
  async create(
    @Caller() { key, accountId }: ApiAccount,
    @Body({ schema: createTotpFields }) { label, issuer }: z.infer<typeof createTotpFields>,
  ): Promise<CreateTotpAnswer> {
    const names = { label, issuer };
    if (key.test) {
      const created = { ...names, secret: testTotp.secret, createdAt: new Date() };
      return { ...createdAnswer(testTotp.totp_id, created), test: true };
    }
    const created = await this.totps.create(accountId, names);
    return createdAnswer(publicTotpId(created.id), created);
  }

  @Get()
  @ApiQuery({ schema: totpsQuery, scope: 'otp' })
  async list(@Caller() { key, accountId }: ApiAccount, @Query() { cursor }: TotpsQuery): Promise<TotpsAnswer> {
    if (key.test)
      return { success: 'true', totps: [testTotpView(testTotp.totp_id, new Date())], next_cursor: null, test: true };
    const { totps, nextCursor } = await this.totps.list(accountId, cursor || undefined);
    return { success: 'true', totps, next_cursor: nextCursor };
  }

  @Get(':totpId')
  @ApiQuery({ schema: totpQuery, scope: 'otp' })
  async find(@Caller() { key, accountId }: ApiAccount, @Param('totpId') totpId: string): Promise<TotpAnswer> {
    if (key.test) return { success: 'true', ...testTotpView(totpId, new Date()), test: true };
    return { success: 'true', ...(await this.totps.find(accountId, totpId)) };
  }

  @Post(':totpId/verify')
  @HttpCode(200)
  @ApiQuery({ schema: verifyTotpFields, scope: 'otp', isSeparate: true })
  async verify(
    @Caller() { key, accountId }: ApiAccount,
    @Param('totpId') totpId: string,
    @Body({ schema: verifyTotpFields }) { code }: z.infer<typeof verifyTotpFields>,
  ): Promise<VerifyTotpAnswer> {
    if (key.test) return { ...verdictAnswer(totpId, judgeTestCode(totpId, code, new Date())), test: true };
    return verdictAnswer(totpId, await this.verifyTotp.verify(accountId, totpId, code));
  }

  @Post(':totpId/recovery-codes')
  @HttpCode(200)
  @ApiQuery({ schema: totpQuery, scope: 'otp' })
  async replaceRecoveryCodes(
    @Caller() { key, accountId }: ApiAccount,
    @Param('totpId') totpId: string,
  ): Promise<RecoveryCodesAnswer> {
    if (key.test) {
      assertTestTotp(totpId);
      return { ...recoveryCodesAnswer(totpId, testRecoveryCodes), test: true };
    }
    return recoveryCodesAnswer(totpId, await this.totps.replaceRecoveryCodes(accountId, totpId));
  }

  @Delete(':totpId')
  @ApiQuery({ schema: totpQuery, scope: 'otp' })
  async delete(@Caller() { key, accountId }: ApiAccount, @Param('totpId') totpId: string): Promise<TotpDeletedAnswer> {
    if (key.test) {
      assertTestTotp(totpId);
      return { success: 'true', totp_id: totpId, deleted: true, test: true };
    }
    await this.totps.delete(accountId, totpId);
    return { success: 'true', totp_id: totpId, deleted: true };
  }
}

/** Throws `invalid_request`. */
function namesOf(label: string | null | undefined, issuer: string | null | undefined) {
  return {
    label: nameOf('label', label, limits.totpLabelCharactersMax),
    issuer: nameOf('issuer', issuer, limits.totpIssuerCharactersMax) || null,
  };
}

/** Throws `invalid_request`. */
function nameOf(field: string, given: string | null | undefined, charactersMax: number): string | undefined {
  if (!given) return undefined;
  const fault = totpNameFault(given, charactersMax);
  if (fault !== undefined) throw new DomainError('invalid_request', `${field}: ${fault}.`);
  return pasted(given);
}

function createdAnswer(
  totpId: string,
  { label, issuer, secret, createdAt }: TotpNames & { readonly secret: string; readonly createdAt: Date },
): CreateTotpAnswer {
  const url = otpauthUrl(secret, { label, issuer });
  return {
    success: 'true',
    totp_id: totpId,
    label,
    issuer,
    secret,
    otpauth_url: url,
    qr_svg: qrSvg(url),
    created_at: createdAt.toISOString(),
  };
}

function verdictAnswer(totpId: string, { status, method, state }: TotpJudgement): VerifyTotpAnswer {
  return {
    success: 'true',
    totp_id: totpId,
    status,
    method,
    attempts_left: attemptsLeftOf(state),
    locked_until: state.lockedUntil?.toISOString() ?? null,
    recovery_codes_left: state.recoveryHashes.length,
  };
}

function recoveryCodesAnswer(totpId: string, codes: readonly string[]): RecoveryCodesAnswer {
  return { success: 'true', totp_id: totpId, recovery_codes: codes.map(shownRecoveryCode) };
}
