import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  entryText,
  noSeal,
  sealText,
  type ExportedEntry,
  type ExportedSeal,
  type LedgerKey,
} from '../../../../contract/ledger-proof.js';
import { verifyLedger } from './ledger.js';

const ACCOUNT = '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d';
const script = join(process.cwd(), 'docs/samples/verify-ledger.mjs');
const sha256 = (text: string, encoding: 'hex' | 'base64url' = 'hex') =>
  createHash('sha256').update(text).digest(encoding);

/** A service with its export and the key that signs it. */
class Service {
  readonly key: LedgerKey;
  private readonly privateKey;
  private readonly lines: object[] = [];
  private pending: ExportedEntry[] = [];
  private entries = 0;
  private seals = 0;
  private balance = 0;
  private previous = noSeal;

  constructor({ publicKey, privateKey } = generateKeyPairSync('ed25519')) {
    const { x = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    const kid = sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');
    this.key = { kty: 'OKP', crv: 'Ed25519', x, kid, valid_from: '2026-11-01T00:00:00.000Z', valid_until: null };
  }

  enter(...amounts: number[]): this {
    for (const amount of amounts) {
      this.entries += 1;
      this.balance += amount;
      const entry: ExportedEntry = {
        number: this.entries,
        at: new Date(Date.UTC(2026, 10, 2, 0, 0, this.entries)).toISOString(),
        kind: amount > 0 ? 'purchase' : 'message',
        amount,
        balance_after: this.balance,
        source: `source ${this.entries}`,
        note: amount > 50 ? 'a gift: "ü\\": {' : null,
      };
      this.pending.push(entry);
      this.lines.push({ entry });
    }
    return this;
  }

  seal(): this {
    const hashes = this.pending.map((entry) => sha256(entryText(entry)));
    this.seals += 1;
    const seal: Omit<ExportedSeal, 'fingerprints' | 'signature'> = {
      number: this.seals,
      first: this.entries - hashes.length + 1,
      last: this.entries,
      entries: sha256(hashes.join('')),
      previous: this.previous,
      sealed_at: '2026-11-03T00:00:00.000Z',
      key: this.key.kid,
    };
    const text = sealText(ACCOUNT, seal);
    const signature = sign(null, Buffer.from(text), this.privateKey).toString('base64url');
    this.previous = sha256(text);
    this.pending = [];
    this.lines.push({ seal: { ...seal, fingerprints: hashes.map((hash) => hash.slice(0, 8)).join(''), signature } });
    return this;
  }

  /** The export's lines. */
  file(keys: readonly LedgerKey[] = [this.key]): string[] {
    const ledger = { format: 'pennytext-ledger-1', account: ACCOUNT, exported_at: '2026-11-04T00:00:00.000Z', keys };
    const end = { entries: this.entries, seals: this.seals };
    return [{ ledger }, ...this.lines, { end }].map((line) => JSON.stringify(line));
  }
}

/** Time limit of a test that starts a program for each line of a file. */
const SCRIPTS_TIMEOUT_MS = 60_000;

describe('pennytext ledger verify', () => {
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'pennytext-ledger-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const published = (service: Service) => write('keys.json', [JSON.stringify({ keys: [service.key] })]);
  /** Number of the wrong entry that the script of docs/ledger.md finds, or 0. */
  const entryByScript = (...args: string[]) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    if (status === 0) return stdout.startsWith('Unchanged: ') ? 0 : stdout;
    return Number(/^entry (\d+): /.exec(stderr)?.[1] ?? Number.NaN);
  };
  const usual = () => new Service().enter(3, 100, -1).seal().enter(-2, -1).seal().enter(60);

  it('accepts what was not changed', async () => {
    const service = usual();
    const file = write('whole.jsonl', service.file());
    const expected = { account: ACCOUNT, entries: 6, seals: 2, unsealed: 1, balance: 159, keys: [service.key.kid] };
    expect(await verifyLedger(file, {})).toMatchObject(expected);
    expect(await verifyLedger(file, { keys: published(service) })).toMatchObject(expected);
    expect([entryByScript(file), entryByScript(file, published(service))]).toEqual([0, 0]);
  });

  const cases: readonly [string, (lines: string[]) => string[], number][] = [
    ['a changed amount', (lines) => lines.map((line) => line.replace('"amount":100', '"amount":10')), 2],
    ['a changed note', (lines) => lines.map((line) => line.replace('a gift', 'a loan')), 2],
    ['a changed source', (lines) => lines.map((line) => line.replace('source 5', 'source 6')), 5],
    ['a removed entry', (lines) => lines.filter((line) => !line.includes('"number":4,"at"')), 4],
    ['a repeated entry', (lines) => lines.flatMap((line) => (line.includes('source 2') ? [line, line] : [line])), 2],
    ['entries in another order', ([head = '', a = '', b = '', ...rest]) => [head, b, a, ...rest], 1],
    ['a removed seal', (lines) => lines.filter((line) => !line.includes('"first":1')), 1],
    [
      'an unsealed balance that does not follow',
      (lines) => lines.map((line) => line.replace('"balance_after":159', '"balance_after":160')),
      6,
    ],
    [
      'a seal of another account',
      (lines) => lines.map((line) => line.replace(ACCOUNT, ACCOUNT.replace('0199', '0198'))),
      1,
    ],
  ];
  it.each(cases)('names the entry of %s', async (title, change, entry) => {
    const file = write('changed.jsonl', change(usual().file()));
    await expect(verifyLedger(file, {})).rejects.toMatchObject({ name: 'LedgerFault', entry });
    expect([title, entryByScript(file)]).toEqual([title, entry]);
  });

  const everyLine = (change: (line: string) => string) => (lines: string[]) =>
    lines.flatMap((_, index) => {
      const changed = lines.map((line, at) => (at === index ? change(line) : line));
      return changed[index] === lines[index] ? [] : [changed];
    });
  it.each([
    ['another member', everyLine((line) => line.replace(/}}$/, ',"extra":1}}'))],
    ['another member beside the line’s own', everyLine((line) => line.replace(/}$/, ',"extra":1}'))],
    ['a member named __proto__', everyLine((line) => line.replace(/}}$/, ',"__proto__":1}}'))],
    ['a member twice', everyLine((line) => line.replace(/^(\{"\w+":\{)("\w+":[^,[]+,)/, '$1$2$2'))],
    [
      'a member twice, with another value first',
      everyLine((line) => line.replace('"number":', '"number":9,"number":')),
    ],
    ['a member twice, once escaped', everyLine((line) => line.replace('"amount"', '"am\\u006funt":9,"amount"'))],
    ['the line’s own member twice', everyLine((line) => line.replace(/^\{(.*)}$/, '{$1,$1}'))],
    ['another member of a key', everyLine((line) => line.replace('"kty"', '"use":"sig","kty"'))],
    ['a member of a key twice', everyLine((line) => line.replace('"kty"', '"kty":"RSA","kty"'))],
  ])(
    'refuses a file with %s',
    async (_title, changesOf) => {
      const service = new Service().enter(3, -1).seal().enter(60);
      const changes = changesOf(service.file());
      expect(changes.length).toBeGreaterThan(0);
      for (const lines of changes) {
        const file = write('changed.jsonl', lines);
        await expect(verifyLedger(file, {})).rejects.toThrow('is not an exported ledger');
        await expect(verifyLedger(file, { keys: published(service) })).rejects.toThrow('is not an exported ledger');
        expect([lines, entryByScript(file, published(service))]).not.toEqual([lines, 0]);
      }
    },
    SCRIPTS_TIMEOUT_MS,
  );

  it('accepts strings that look like members, and white space', async () => {
    const service = new Service().enter(3, 100).seal();
    const spaced = service.file().map((line) => line.replaceAll(/"(\w+)":/g, ' "$1" : '));
    expect(await verifyLedger(write('spaced.jsonl', spaced), {})).toMatchObject({ entries: 2 });
    expect(entryByScript(write('spaced.jsonl', spaced))).toBe(0);
  });

  it('refuses keys with a member that is unknown or repeated', async () => {
    const service = usual();
    const file = write('whole.jsonl', service.file());
    const text = JSON.stringify({ keys: [service.key] });
    for (const changed of [text.replace('"kty"', '"use":"sig","kty"'), text.replace('"kty"', '"kty":"RSA","kty"')]) {
      const keys = write('changed.json', [changed]);
      await expect(verifyLedger(file, { keys })).rejects.toThrow('has no keys');
      expect(entryByScript(file, keys)).not.toBe(0);
    }
  });

  it('believes the keys that it is given, not those of the file', async () => {
    const [genuine, forger] = [usual(), usual()];
    const file = write('forged.jsonl', forger.file());
    expect(await verifyLedger(file, {})).toMatchObject({ seals: 2 });
    await expect(verifyLedger(file, { keys: published(genuine) })).rejects.toMatchObject({ entry: 1 });
    expect(entryByScript(file, published(genuine))).toBe(1);
    const renamed = write('renamed.jsonl', forger.file([{ ...forger.key, kid: genuine.key.kid }]));
    await expect(verifyLedger(renamed, {})).rejects.toThrow('is not the one of that name');
  });

  it('notices that a seal continues another one, though both are signed', async () => {
    const pair = generateKeyPairSync('ed25519');
    const lines = new Service(pair).enter(3, -1).seal().enter(60).seal().file();
    const [head = '', ...rewritten] = new Service(pair).enter(4, -2).seal().file().slice(0, 4);
    const file = write('spliced.jsonl', [head, ...rewritten, ...lines.slice(4)]);
    await expect(verifyLedger(file, {})).rejects.toThrow('seal 2 does not continue seal 1');
    expect(entryByScript(file)).toBe(3);
  });

  it('refuses a key outside of its time', async () => {
    const service = usual();
    const ended = { ...service.key, valid_until: '2026-11-02T00:00:00.000Z' };
    const file = write('ended.jsonl', service.file([ended]));
    await expect(verifyLedger(file, {})).rejects.toMatchObject({ entry: 1 });
    expect(entryByScript(file)).toBe(1);
  });

  it('proves that a ledger continues an earlier export', async () => {
    const service = usual();
    const earlier = write('earlier.jsonl', service.file());
    const later = write('later.jsonl', service.seal().enter(5).seal().file());
    expect(await verifyLedger(later, { earlier })).toMatchObject({ entries: 7, seals: 4 });
    const rewritten = write('rewritten.jsonl', usual().seal().enter(5).seal().file());
    await expect(verifyLedger(rewritten, { earlier })).rejects.toThrow('does not continue');
    await expect(verifyLedger(earlier, { earlier: later })).rejects.toThrow('does not continue');
  });

  it.each([
    ['is cut off', (lines: string[]) => lines.slice(0, -1), 'is cut off'],
    ['lacks its newest entry', (lines: string[]) => [...lines.slice(0, -2), ...lines.slice(-1)], 'is cut off'],
    ['has two heads', ([head = '', ...lines]: string[]) => [head, head, ...lines], 'is not an exported ledger'],
    ['goes on after its end', (lines: string[]) => [...lines, ...lines.slice(-1)], 'is not an exported ledger'],
    ['has another line', (lines: string[]) => [...lines.slice(0, -1), '{"row":1}', ''], 'is not an exported ledger'],
    ['has no head', (lines: string[]) => lines.slice(1), 'is not an exported ledger'],
    ['is empty', () => [], 'is not an exported ledger'],
  ])('exits with an error when the file %s', async (_title, change, message) => {
    const file = write('broken.jsonl', change(usual().file()));
    await expect(verifyLedger(file, {})).rejects.toThrow(message);
    expect(entryByScript(file)).not.toBe(0);
  });

  it('exits with an error when a file cannot be read', async () => {
    await expect(verifyLedger(join(folder, 'none.jsonl'), {})).rejects.toThrow('no such file');
    const file = write('whole.jsonl', usual().file());
    await expect(verifyLedger(file, { keys: join(folder, 'none.json') })).rejects.toThrow('cannot be read');
    await expect(verifyLedger(file, { keys: file })).rejects.toThrow('has no keys');
  });
});
