import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface SealedRow {
  readonly accountId: string;
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
  readonly previous: Buffer | null;
  readonly previousKeyId: string | null;
}

type Sealed = { readonly sealed: Buffer; readonly keyId: string | null } | undefined;

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Webhooks' secrets at rest, for a change of the encryption key. */
@Injectable()
export class EncryptedSecretsRepository {
  /** The next that are sealed with another key than this one, locked. */
  async take(tx: EntityManager, keyId: string, after: string, endpointsMax: number): Promise<SealedRow[]> {
    return tx.query<SealedRow[]>(
      `SELECT account_id AS "accountId", secret, secret_key_id AS "secretKeyId",
         previous_secret AS previous, previous_secret_key_id AS "previousKeyId"
       FROM webhook_endpoints
       WHERE account_id > $2 AND (secret IS NOT NULL AND secret_key_id IS DISTINCT FROM $1
         OR previous_secret IS NOT NULL AND previous_secret_key_id IS DISTINCT FROM $1)
       ORDER BY account_id LIMIT $3 FOR NO KEY UPDATE`,
      [keyId, after || FIRST, endpointsMax],
    );
  }

  /** The current and the previous one; undefined leaves what is there. */
  async replace(tx: EntityManager, accountId: string, [current, previous]: readonly Sealed[]): Promise<void> {
    await tx.query(
      `UPDATE webhook_endpoints
       SET secret = coalesce($2, secret), secret_key_id = coalesce($3, secret_key_id),
         previous_secret = coalesce($4, previous_secret), previous_secret_key_id = coalesce($5, previous_secret_key_id)
       WHERE account_id = $1`,
      [accountId, current?.sealed, current?.keyId, previous?.sealed, previous?.keyId].map((value) => value ?? null),
    );
  }
}
