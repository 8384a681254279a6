import { z } from 'zod';
import { ledgerKinds } from './histories.js';

/** Version of the export's lines and of the signed texts. */
export const ledgerFormat = 'pennytext-ledger-1';

/** Previous hash in an account's first seal. */
export const noSeal = '0'.repeat(64);

/** Hex digits of an entry's fingerprint: the first digits of its hash. */
export const fingerprintDigits = 8;

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime();
const count = z.int().positive();

/**
 * A public key (RFC 8037). `kid` is its thumbprint (RFC 7638); it signs from `valid_from` until
 * `valid_until`.
 */
export const ledgerKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().length(43),
  kid: z.string().length(43),
  valid_from: instant,
  valid_until: instant.nullable(),
});
export type LedgerKey = z.infer<typeof ledgerKey>;

/** Answer of GET /.well-known/pennytext-ledger.json: a key set (RFC 7517). */
export const ledgerKeySet = z.strictObject({ keys: z.array(ledgerKey) });
export type LedgerKeySet = z.infer<typeof ledgerKeySet>;

/**
 * A movement of credits. Entries of an account are numbered 1, 2, 3 …; `amount` is negative when
 * credits were spent.
 */
export const exportedEntry = z.strictObject({
  number: count,
  at: instant,
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balance_after: z.int(),
  source: z.string(),
  note: z.string().nullable(),
});
export type ExportedEntry = z.infer<typeof exportedEntry>;

/**
 * A seal over the entries `first` to `last`. `previous` is the hash of the account's seal before
 * it.
 */
export const exportedSeal = z.strictObject({
  number: count,
  first: count,
  last: count,
  entries: sha256Hex,
  fingerprints: z.string().regex(/^(?:[0-9a-f]{8})+$/),
  previous: sha256Hex,
  sealed_at: instant,
  key: z.string(),
  signature: z.string(),
});
export type ExportedSeal = z.infer<typeof exportedSeal>;

/**
 * A line of the export: the head, then the entries in order, each seal after the last entry that it
 * covers, then the end.
 */
export const ledgerLine = z.union([
  z.strictObject({
    ledger: z.strictObject({
      format: z.literal(ledgerFormat),
      account: z.uuid(),
      exported_at: instant,
      ...ledgerKeySet.shape,
    }),
  }),
  z.strictObject({ entry: exportedEntry }),
  z.strictObject({ seal: exportedSeal }),
  z.strictObject({ end: z.strictObject({ entries: z.int(), seals: z.int() }) }),
]);
export type LedgerLine = z.infer<typeof ledgerLine>;

/** Parses a line of the export. Undefined for other text, and for an unknown or repeated member. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  return parsedExactly(ledgerLine, text);
}

/** Parses the published keys, as strictly as {@link parseLedgerLine}. */
export function parseLedgerKeys(text: string): LedgerKeySet | undefined {
  return parsedExactly(ledgerKeySet, text);
}

/**
 * Rejects repeated members: JSON.parse keeps the last one and another reader may keep the first
 * (RFC 8259, section 4), unverified.
 */
function parsedExactly<T>(shape: z.ZodType<T>, text: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = shape.safeParse(value);
  return parsed.success && membersOf(parsed.data) === membersWritten(text) ? parsed.data : undefined;
}

/** Counts the members of a JSON text, repeated members too: its strings that a colon follows. */
function membersWritten(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon !== '').length;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + membersOf(inner), own);
}

/** The text whose SHA-256 is an entry's hash. */
export function entryText({ number, at, kind, amount, balance_after, source, note }: ExportedEntry): string {
  return JSON.stringify([number, at, kind, amount, balance_after, source, note]);
}

/** The text that is signed, and whose SHA-256 is the seal's hash. */
export function sealText(account: string, seal: Omit<ExportedSeal, 'signature' | 'fingerprints'>): string {
  const { number, first, last, entries, previous, sealed_at, key } = seal;
  return JSON.stringify([ledgerFormat, account, number, first, last, entries, previous, sealed_at, key]);
}

/**
 * Cryptography of the program that verifies: SHA-256 in hex, and an Ed25519 signature in base64url.
 */
export interface ProofCrypto {
  sha256(text: string): string;
  verify(key: LedgerKey, text: string, signature: string): boolean;
}

/** Names the first wrong entry of a ledger. */
export class LedgerFault extends Error {
  override readonly name = 'LedgerFault';

  constructor(
    /** Number of the entry. */
    readonly entry: number,
    problem: string,
  ) {
    super(`entry ${entry}: ${problem}`);
  }
}

export interface ProvenLedger {
  readonly entries: number;
  readonly seals: number;
  /** Newest entries, which no seal covers yet. */
  readonly unsealed: number;
  readonly balance: number;
  /** Hash of the newest seal. */
  readonly seal: string;
}

/**
 * Proves that a ledger is the sealed one: feed it the entries and seals of one account in the order
 * of the export. The first changed, removed, inserted or moved entry raises a {@link LedgerFault}.
 */
export class LedgerProof {
  private readonly keys: ReadonlyMap<string, LedgerKey>;
  private unsealed: ExportedEntry[] = [];
  private entries = 0;
  private seals = 0;
  private balance = 0;
  private hash = noSeal;

  constructor(
    private readonly account: string,
    keys: readonly LedgerKey[],
    private readonly crypto: ProofCrypto,
  ) {
    this.keys = new Map(keys.map((key) => [key.kid, key]));
  }

  /** Hash of the seal that was fed last. */
  get sealHash(): string {
    return this.hash;
  }

  entry(entry: ExportedEntry): void {
    const expected = this.entries + 1;
    if (entry.number > expected) throw new LedgerFault(expected, 'it is missing');
    if (entry.number < expected) throw new LedgerFault(entry.number, 'it appears a second time, or out of order');
    this.entries = expected;
    this.unsealed.push(entry);
  }

  seal(seal: ExportedSeal): void {
    const { first, last, number, previous } = seal;
    const expected = this.entries - this.unsealed.length + 1;
    if (number !== this.seals + 1 || first !== expected || previous !== this.hash)
      throw new LedgerFault(Math.min(first, expected), `seal ${number} does not continue seal ${this.seals}`);
    if (last < this.entries)
      throw new LedgerFault(last + 1, `it stands before seal ${number}, which does not cover it`);
    const hashes = this.unsealed.map((entry) => this.crypto.sha256(entryText(entry)));
    if (last > this.entries || this.crypto.sha256(hashes.join('')) !== seal.entries) throw changedEntry(seal, hashes);
    this.verifySignature(seal);
    this.follow();
    this.seals = number;
    this.hash = this.crypto.sha256(sealText(this.account, seal));
  }

  /** Ends the proof, after the last line. */
  end(): ProvenLedger {
    const unsealed = this.unsealed.length;
    this.follow();
    const { entries, seals, balance, hash } = this;
    return { entries, seals, unsealed, balance, seal: hash };
  }

  private verifySignature(seal: ExportedSeal): void {
    const key = this.keys.get(seal.key);
    if (!key) throw new LedgerFault(seal.first, `seal ${seal.number} is signed with the unknown key ${seal.key}`);
    const [from, at] = [Date.parse(key.valid_from), Date.parse(seal.sealed_at)];
    const until = key.valid_until === null ? Infinity : Date.parse(key.valid_until);
    if (at < from || at > until || !this.crypto.verify(key, sealText(this.account, seal), seal.signature))
      throw new LedgerFault(seal.first, `the signature of seal ${seal.number} is wrong`);
  }

  /** Checks that each balance follows from the previous balance. */
  private follow(): void {
    for (const { number, amount, balance_after } of this.unsealed) {
      if (balance_after !== this.balance + amount)
        throw new LedgerFault(number, `its balance does not follow from entry ${number - 1}`);
      this.balance = balance_after;
    }
    this.unsealed = [];
  }
}

function changedEntry({ first, last, number, fingerprints }: ExportedSeal, hashes: readonly string[]): LedgerFault {
  const at = hashes.findIndex(
    (entryHash, index) =>
      entryHash.slice(0, fingerprintDigits) !==
      fingerprints.slice(index * fingerprintDigits, (index + 1) * fingerprintDigits),
  );
  if (at >= 0) return new LedgerFault(first + at, `it is not the one that seal ${number} covers`);
  if (first + hashes.length <= last) return new LedgerFault(first + hashes.length, 'it is missing');
  return new LedgerFault(first, `seal ${number} does not fit the entries ${first} to ${last}`);
}
