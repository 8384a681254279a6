import { createHash, createPublicKey, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  ledgerFormat,
  LedgerFault,
  LedgerProof,
  type ExportedEntry,
  type ExportedSeal,
  type LedgerKey,
  type LedgerLine,
  type ProofCrypto,
  type ProvenLedger,
} from '#contract/ledger-proof.js';
import { Postgres } from '../platform/database/postgres.js';
import { LedgerKeys } from './ledger-keys.js';
import { exportedEntryOf, nextEntriesStatement, type StoredEntry } from './ledger-seals.js';

const BATCH_ENTRIES = 1_000;
const BATCH_ACCOUNTS = 500;
const FAULTS_MAX = 100;
/** An id below every account's id. */
const noAccount = '00000000-0000-0000-0000-000000000000';

export const sealsStatement = {
  name: 'ledger-seals-1',
  text: `
SELECT number::float8 AS number, first::float8 AS first, last::float8 AS last, encode(entries_hash, 'hex') AS entries,
  encode(fingerprints, 'hex') AS fingerprints, encode(previous, 'hex') AS previous, sealed_at AS "sealedAt",
    key_id AS key,
  signature
FROM ledger_seals WHERE account_id = $1 AND last > $2 ORDER BY last LIMIT ${BATCH_ENTRIES}`,
} as const;

/**
 * Accounts after a given account in the order of their ids, with the number of entries that each
 * should have.
 */
export const ledgersStatement = {
  name: 'ledgers-1',
  text: `
SELECT account_id AS "accountId", ledger_count::float8 AS entries FROM credit_accounts
WHERE account_id > $1 AND ($2::uuid IS NULL OR account_id = $2) ORDER BY account_id LIMIT ${BATCH_ACCOUNTS}`,
} as const;

export interface StoredSeal extends Omit<ExportedSeal, 'sealed_at' | 'signature'> {
  readonly sealedAt: Date;
  readonly signature: Buffer;
}

interface Ledger {
  readonly accountId: string;
  readonly entries: number;
}

interface LedgerVerification {
  accounts: number;
  entries: number;
  seals: number;
  /** Entries that no seal covers yet. */
  unsealed: number;
  /** First wrong entry of each wrong ledger, at most 100. */
  readonly faults: { readonly accountId: string; readonly entry: number; readonly problem: string }[];
}

const nodeCrypto: ProofCrypto = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  verify: ({ kty, crv, x }, text, signature) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
};

/**
 * Ledgers with their seals: as a file that customers verify by themselves, and verified here for
 * all accounts.
 */
@Injectable()
export class LedgerExport {
  constructor(
    private readonly postgres: Postgres,
    private readonly keys: LedgerKeys,
  ) {}

  /**
   * Generates the account's ledger as JSON Lines, one {@link LedgerLine} each, while it is read.
   */
  async *file(accountId: string): AsyncGenerator<string> {
    const keys = await this.keys.published();
    const head = { format: ledgerFormat, account: accountId, exported_at: new Date().toISOString(), keys } as const;
    let [text, entries, seals] = [lineOf({ ledger: head }), 0, 0];
    for await (const batch of this.lines(accountId)) {
      for (const line of batch) {
        if ('entry' in line) entries += 1;
        else seals += 1;
        text += lineOf(line);
      }
      yield text;
      text = '';
    }
    yield text + lineOf({ end: { entries, seals } });
  }

  /**
   * Verifies the ledgers of all accounts, or only of `only`, against their seals and against the
   * number of entries of their balance.
   */
  async verify(only?: string): Promise<LedgerVerification> {
    const keys = await this.keys.published();
    const result: LedgerVerification = { accounts: 0, entries: 0, seals: 0, unsealed: 0, faults: [] };
    await this.postgres.onEach(() => this.verifyInto(result, keys, only));
    return result;
  }

  private async verifyInto(
    result: LedgerVerification,
    keys: readonly LedgerKey[],
    only: string | undefined,
  ): Promise<void> {
    for await (const ledger of this.ledgers(only)) {
      result.accounts += 1;
      const proven = await this.prove(ledger, keys);
      if (proven instanceof LedgerFault) {
        result.faults.push({ accountId: ledger.accountId, entry: proven.entry, problem: proven.message });
        if (result.faults.length >= FAULTS_MAX) return;
      } else {
        result.entries += proven.entries;
        result.seals += proven.seals;
        result.unsealed += proven.unsealed;
      }
    }
  }

  private async *ledgers(only: string | undefined): AsyncGenerator<Ledger> {
    for (let after = noAccount; ;) {
      const batch = await this.postgres.query<Ledger>(ledgersStatement, [after, only ?? null]);
      yield* batch;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_ACCOUNTS) return;
      after = last.accountId;
    }
  }

  private async prove({ accountId, entries }: Ledger, keys: readonly LedgerKey[]): Promise<ProvenLedger | LedgerFault> {
    const proof = new LedgerProof(accountId, keys, nodeCrypto);
    try {
      for await (const batch of this.lines(accountId))
        for (const line of batch)
          if ('entry' in line) proof.entry(line.entry);
          else proof.seal(line.seal);
      const proven = proof.end();
      // Entries that were written since the count was read are newer.
      if (proven.entries < entries) throw new LedgerFault(proven.entries + 1, 'it is missing');
      return proven;
    } catch (error) {
      if (error instanceof LedgerFault) return error;
      throw error;
    }
  }

  /**
   * Entries in order, each seal after the last entry that it covers. Seals without entries come at
   * the end.
   */
  private async *lines(accountId: string): AsyncGenerator<Line[]> {
    for (let last = 0; ;) {
      // Seals are read first, so the entries that they cover are committed. Each covers an entry,
      // so the batch misses no seal.
      const seals = await this.postgres.query<StoredSeal>(sealsStatement, [accountId, last]);
      const entries = await this.postgres.query<StoredEntry>(nextEntriesStatement, [
        [accountId],
        [last],
        BATCH_ENTRIES,
      ]);
      const isEnd = entries.length < BATCH_ENTRIES;
      const upTo = isEnd ? Infinity : (entries.at(-1)?.number ?? last);
      yield merged(entries.map(exportedEntryOf), seals.filter((seal) => seal.last <= upTo).map(exportedSealOf));
      if (isEnd) return;
      last = upTo;
    }
  }
}

type Line = Extract<LedgerLine, { entry: unknown } | { seal: unknown }>;

function merged(entries: readonly ExportedEntry[], seals: readonly ExportedSeal[]): Line[] {
  const lines: Line[] = [];
  let next = 0;
  for (const entry of entries) {
    for (let seal = seals[next]; seal && seal.last < entry.number; seal = seals[next]) {
      lines.push({ seal });
      next += 1;
    }
    lines.push({ entry });
  }
  return [...lines, ...seals.slice(next).map((seal) => ({ seal }))];
}

function exportedSealOf({ sealedAt, signature, ...seal }: StoredSeal): ExportedSeal {
  return { ...seal, sealed_at: sealedAt.toISOString(), signature: signature.toString('base64url') };
}

function lineOf(line: LedgerLine): string {
  return `${JSON.stringify(line)}\n`;
}
