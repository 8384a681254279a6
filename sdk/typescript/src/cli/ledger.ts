import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  ledgerFormat,
  LedgerProof,
  noSeal,
  parseLedgerKeys,
  parseLedgerLine,
  type LedgerKey,
  type LedgerLine,
  type ProofCrypto,
  type ProvenLedger,
} from '../../../../contract/ledger-proof.js';
import { UsageError } from './terminal.js';

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

export interface VerifiedLedger extends ProvenLedger {
  readonly account: string;
  /** Thumbprints of the keys that the file names. */
  readonly keys: readonly string[];
}

interface Options {
  /**
   * Keys to trust, as a file or the URL where the service publishes them. Without this option the
   * file's own keys are believed.
   */
  readonly keys?: string | undefined;
  /** An earlier export that this export must continue. */
  readonly earlier?: string | undefined;
}

/**
 * Verifies an exported ledger. Throws `LedgerFault`, which names the first wrong entry, and
 * {@link UsageError} for a file that is no export or is cut off.
 */
export async function verifyLedger(file: string, { keys, earlier }: Options): Promise<VerifiedLedger> {
  const trusted = keys === undefined ? undefined : await keysOf(keys);
  const before = earlier === undefined ? undefined : await readLedger(earlier, trusted);
  const ledger = await readLedger(file, trusted, before?.seals);
  if (before && (before.account !== ledger.account || ledger.sealThen !== before.seal))
    throw new UsageError(`${file} does not continue ${earlier}: entries that were sealed then are different now.`);
  const { sealThen: _sealThen, ...verified } = ledger;
  return verified;
}

/** `sealThen` is the hash of the seal with the number `sealsThen`. */
async function readLedger(file: string, trusted: readonly LedgerKey[] | undefined, sealsThen = 0) {
  let proof: LedgerProof | undefined;
  let head: Extract<LedgerLine, { ledger: unknown }>['ledger'] | undefined;
  let end: Extract<LedgerLine, { end: unknown }>['end'] | undefined;
  let sealThen = noSeal;
  for await (const line of linesOf(file)) {
    if (end || 'ledger' in line !== (proof === undefined)) throw notExported(file);
    if ('ledger' in line) {
      head = line.ledger;
      checkThumbprints(head.keys);
      proof = new LedgerProof(head.account, trusted ?? head.keys, nodeCrypto);
    } else if ('entry' in line) proof?.entry(line.entry);
    else if ('seal' in line) {
      proof?.seal(line.seal);
      if (line.seal.number === sealsThen) sealThen = proof?.sealHash ?? noSeal;
    } else end = line.end;
  }
  if (!proof || !head) throw notExported(file);
  const proven = proof.end();
  if (end?.entries !== proven.entries || end.seals !== proven.seals)
    throw new UsageError(`${file} is cut off. Export the ledger again.`);
  return { account: head.account, keys: head.keys.map(({ kid }) => kid), sealThen, ...proven };
}

async function* linesOf(file: string): AsyncGenerator<LedgerLine> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  try {
    for await (const text of lines) {
      if (text === '') continue;
      const line = parseLedgerLine(text);
      if (!line) throw notExported(file);
      yield line;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new UsageError(error.message);
    throw error;
  }
}

async function keysOf(source: string): Promise<LedgerKey[]> {
  let text: string;
  try {
    text = /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The keys cannot be read from ${source}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = parseLedgerKeys(text);
  if (!parsed) throw new UsageError(`${source} has no keys as /.well-known/pennytext-ledger.json has them.`);
  checkThumbprints(parsed.keys);
  return parsed.keys;
}

/** A key is known by its thumbprint (RFC 7638), so that another key cannot pass under its name. */
function checkThumbprints(keys: readonly LedgerKey[]): void {
  for (const { kid, x } of keys)
    if (createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url') !== kid)
      throw new UsageError(`The key ${kid} is not the one of that name.`);
}

function notExported(file: string): UsageError {
  return new UsageError(`${file} is not an exported ledger (${ledgerFormat}, JSON Lines).`);
}
