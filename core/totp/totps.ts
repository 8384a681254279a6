import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { TotpView } from '#contract/totp.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { newMessageId, publicTotpId, totpIdFromPublic, unknownIdText } from '../rules/ids.js';
import { newTotpSecret, type TotpNames } from './app-codes.js';
import { attemptsLeftOf, stateAt } from './judge-code.js';
import { RecoveryCodes } from './recovery-codes.js';
import { type StoredTotp, TotpsRepository } from './totps.repository.js';

/** An id above every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A new authenticator. Its secret, in base32, cannot be read again. */
export interface NewTotp extends TotpNames {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: Date;
}

/** An account's authenticators: secrets that it shares with the apps of its users. They stay until they are deleted. */
@Injectable()
export class Totps {
  constructor(
    private readonly postgres: Postgres,
    private readonly totps: TotpsRepository,
    private readonly encryption: Encryption,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** Creates an authenticator. Throws `totp_limit`. */
  async create(accountId: string, { label, issuer }: TotpNames): Promise<NewTotp> {
    const [id, secret] = [newMessageId(), newTotpSecret()];
    const { ciphertext, keyId: encryptionKeyId } = this.encryption.encrypt(secret);
    const row = { accountId, id, label, issuer, secret: ciphertext, encryptionKeyId };
    const createdAt = await this.postgres.change((tx) => this.totps.insert(tx, row));
    if (!createdAt) {
      const max = limits.totpsMax.toLocaleString('en-US');
      throw new DomainError('totp_limit', `An account has at most ${max} authenticators. Delete one first.`);
    }
    return { id, label, issuer, secret, createdAt };
  }

  /** Finds an authenticator by its public id. Throws `totp_not_found`, also for another account's one. */
  async find(accountId: string, publicId: string): Promise<TotpView> {
    const stored = await this.totps.find(accountId, totpIdOf(publicId));
    if (!stored) throw totpNotFound(publicId);
    return viewOf(stored, await this.totps.now());
  }

  /** Returns a page, newest first. The cursor is the last id of the page before. Throws `invalid_request`. */
  async list(accountId: string, cursor: string | undefined): Promise<{ totps: TotpView[]; nextCursor: string | null }> {
    const beforeId = cursor === undefined ? LAST_ID : totpIdFromPublic(cursor);
    if (beforeId === undefined) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    // One more than is shown tells whether there is another page.
    const rows = await this.totps.list(accountId, beforeId, limits.totpsPageSize + 1);
    const page = rows.slice(0, limits.totpsPageSize);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const now = await this.totps.now();
    return { totps: page.map((row) => viewOf(row, now)), nextCursor: last ? publicTotpId(last.id) : null };
  }

  /** Deletes an authenticator with its recovery codes. Throws `totp_not_found`. */
  async delete(accountId: string, publicId: string): Promise<void> {
    const id = totpIdOf(publicId);
    const isDeleted = await this.postgres.change((tx) => this.totps.delete(tx, accountId, id));
    if (!isDeleted) throw totpNotFound(publicId);
  }

  /** Replaces the recovery codes and returns the new ones in canonical form, once. Throws `totp_not_found`. */
  async replaceRecoveryCodes(accountId: string, publicId: string): Promise<string[]> {
    const id = totpIdOf(publicId);
    const codes = this.recoveryCodes.generate();
    await this.postgres.change(async (tx) => {
      const hashes = codes.map((code) => this.recoveryCodes.hash(id, code));
      if (!(await this.totps.replaceRecoveryHashes(tx, accountId, id, hashes))) throw totpNotFound(publicId);
    });
    return codes;
  }
}

/** Parses a public id. Throws `totp_not_found` for another form, which names no authenticator. */
export function totpIdOf(publicId: string): string {
  const id = totpIdFromPublic(publicId);
  if (id === undefined) throw totpNotFound(publicId);
  return id;
}

export function totpNotFound(publicId: string): DomainError {
  return new DomainError('totp_not_found', unknownIdText('authenticator', publicId));
}

/** Returns an authenticator as its account sees it at a time. */
export function viewOf(stored: StoredTotp, now: Date): TotpView {
  const { id, label, issuer, createdAt, verifiedAt, lastUsedAt, lockedUntil, ...state } = stateAt(stored, now);
  return {
    totp_id: publicTotpId(id),
    label,
    issuer,
    created_at: createdAt.toISOString(),
    verified_at: verifiedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    attempts_left: attemptsLeftOf(state),
    locked_until: lockedUntil?.toISOString() ?? null,
    recovery_codes_left: state.recoveryHashes.length,
  };
}
