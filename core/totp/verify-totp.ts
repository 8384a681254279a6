import { Injectable } from '@nestjs/common';
import { Encryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { type TypedTotpCode, typedTotpCodeOf } from '../rules/totp.js';
import { stepOfCode } from './app-codes.js';
import { type EnteredCode, judgeCode, type TotpJudgement } from './judge-code.js';
import { RecoveryCodes } from './recovery-codes.js';
import type { TotpEntity } from './totp.entity.js';
import { TotpsRepository } from './totps.repository.js';
import { totpIdOf, totpNotFound } from './totps.js';

/**
 * Verifies codes of authenticator apps, and recovery codes. The authenticator's row is locked while a code is judged:
 * of concurrent calls with one code one is verified, and exactly the allowed number of wrong codes is judged.
 */
@Injectable()
export class VerifyTotp {
  constructor(
    private readonly postgres: Postgres,
    private readonly totps: TotpsRepository,
    private readonly encryption: Encryption,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** Judges a code as typed. Throws `totp_not_found`. */
  async verify(accountId: string, publicId: string, typed: string): Promise<TotpJudgement> {
    const id = totpIdOf(publicId);
    const code = typedTotpCodeOf(typed);
    return this.postgres.change(async (tx) => {
      const totp = await this.totps.lock(tx, accountId, id);
      if (!totp) throw totpNotFound(publicId);
      const now = await this.totps.now(tx);
      const judgement = judgeCode(totp, this.entered(totp, code, now), now);
      if (judgement.state !== totp) await this.totps.writeState(tx, accountId, id, judgement.state);
      return judgement;
    });
  }

  private entered(totp: TotpEntity, typed: TypedTotpCode | undefined, now: Date): EnteredCode {
    if (!typed) return undefined;
    const { method, code } = typed;
    if (method === 'recovery_code') return { method, hash: this.recoveryCodes.hash(totp.id, code) };
    const secret = this.encryption.decrypt({ ciphertext: totp.secret, keyId: totp.encryptionKeyId });
    return { method, step: stepOfCode(secret, code, now) };
  }
}
