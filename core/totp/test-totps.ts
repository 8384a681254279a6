import { testTotp } from '#contract/examples.js';
import { limits } from '#contract/limits.js';
import type { TotpView } from '#contract/totp.js';
import { typedTotpCodeOf } from '../rules/totp.js';
import { stepOfCode } from './app-codes.js';
import { judgeCode, type TotpJudgement, type TotpState } from './judge-code.js';
import { totpIdOf, totpNotFound, viewOf } from './totps.js';

/** The authenticator of test mode, which every test key has, and which nothing changes. */
const { totp_id: testTotpId, secret: testTotpSecret } = testTotp;
const TEST_UUID = totpIdOf(testTotpId);
/** In canonical form. The last one has been used. */
export const testRecoveryCodes: readonly string[] = Array.from(
  { length: limits.totpRecoveryCodes },
  (_, n) => `TEST00000${n}`,
);
const createdAt = new Date('2026-11-20T18:00:00.000Z');

/** Codes of an app with an answer of their own. */
const verifiedCode = '123456';
const usedCode = '000002';
const lockedCode = '000003';

/** The state before every code. A hash of test mode is the code itself. */
const state: TotpState = {
  lastStep: null,
  wrongTries: 0,
  lockedUntil: null,
  recoveryHashes: testRecoveryCodes.slice(0, -1).map((code) => Buffer.from(code)),
  usedRecoveryHashes: testRecoveryCodes.slice(-1).map((code) => Buffer.from(code)),
  verifiedAt: createdAt,
  lastUsedAt: createdAt,
};

/** Throws `totp_not_found` for every id but the one of test mode. */
export function assertTestTotp(publicId: string): void {
  if (publicId !== testTotpId) throw totpNotFound(publicId);
}

/** Returns the authenticator of test mode. Throws `totp_not_found`. */
export function testTotpView(publicId: string, now: Date): TotpView {
  assertTestTotp(publicId);
  return viewOf(
    { accountId: TEST_UUID, id: TEST_UUID, label: 'alice@example.com', issuer: 'Acme', createdAt, ...state },
    now,
  );
}

/**
 * Returns the result of a code in test mode: an app with the secret of test mode works, and some codes have answers
 * of their own. Throws `totp_not_found`.
 */
export function judgeTestCode(publicId: string, typed: string, now: Date): TotpJudgement {
  assertTestTotp(publicId);
  const entered = typedTotpCodeOf(typed);
  if (!entered) return judgeCode(state, undefined, now);
  if (entered.method === 'recovery_code')
    return judgeCode(state, { method: 'recovery_code', hash: Buffer.from(entered.code) }, now);
  switch (entered.code) {
    case verifiedCode:
      return judgeCode(state, { method: 'app', step: 1 }, now);
    case usedCode:
      return judgeCode({ ...state, lastStep: 1 }, { method: 'app', step: 1 }, now);
    case lockedCode: {
      const lockedUntil = new Date(now.getTime() + limits.totpLockMinutes * 60_000);
      return judgeCode({ ...state, wrongTries: limits.totpTriesMax, lockedUntil }, undefined, now);
    }
    default:
      return judgeCode(state, { method: 'app', step: stepOfCode(testTotpSecret, entered.code, now) }, now);
  }
}
