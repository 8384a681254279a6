import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';

export interface OtpPayload {
  readonly messageId: string;
  readonly sealed: Buffer;
  readonly encryptionKeyId: string;
  /** After so many minutes nobody needs to get it any more. */
  readonly usefulMinutes: number;
}

export interface FoundText {
  readonly sealed: Buffer;
  readonly encryptionKeyId: string;
  readonly isUseful: boolean;
}

const find = {
  name: 'sealed-text-1',
  text: `
SELECT sealed, encryption_key_id AS "encryptionKeyId", useful_until > now() AS "isUseful"
FROM sealed_texts WHERE message_id = $1`,
};

const remove = { name: 'sealed-text-remove-1', text: 'DELETE FROM sealed_texts WHERE message_id = $1 RETURNING 1' };

const outdated: PurgeRule = {
  table: 'sealed_texts',
  key: ['message_id'],
  expired: 'useful_until <= now() - make_interval(hours => $1)',
};

/** Encrypted texts of messages. */
@Injectable()
export class OtpPayloadsRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert(tx: EntityManager, texts: readonly OtpPayload[]): Promise<void> {
    await tx.query(
      `INSERT INTO sealed_texts (message_id, sealed, encryption_key_id, useful_until)
       SELECT t.message_id, t.sealed, t.encryption_key_id, now() + make_interval(mins => t.useful_minutes)
       FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::integer[]) AS t (message_id, sealed, encryption_key_id, useful_minutes)`,
      [
        texts.map(({ messageId }) => messageId),
        texts.map(({ sealed }) => sealed),
        texts.map(({ encryptionKeyId }) => encryptionKeyId),
        texts.map(({ usefulMinutes }) => usefulMinutes),
      ],
    );
  }

  async find(messageId: string): Promise<FoundText | undefined> {
    const [row] = await this.postgres.query<FoundText>(find, [messageId]);
    return row;
  }

  async remove(messageId: string): Promise<void> {
    await this.postgres.query(remove, [messageId]);
  }

  /** Deletes a batch that expired so many hours ago; returns whether there may be more. */
  async purge(uselessHours: number): Promise<boolean> {
    return purge(this.postgres, outdated, [uselessHours]);
  }
}
