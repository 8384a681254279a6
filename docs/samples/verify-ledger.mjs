// Proves that an exported ledger was not changed: node verify-ledger.mjs ledger.jsonl [keys.json].
// Node 20, nothing to install. keys.json is /.well-known/pennytext-ledger.json of the service,
// fetched by you; without it the keys in the file are believed.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, keyFile] = process.argv.slice(2);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const entryHash = (e) => sha256(JSON.stringify([e.number, e.at, e.kind, e.amount, e.balance_after, e.source, e.note]));
let [account, keys, previous, seals, entries, balance, complete] = [undefined, [], '0'.repeat(64), 0, 0, 0, false];
let unsealed = []; // Entries since the last seal.
const members = {
  ledger: 'account exported_at format keys',
  keys: 'crv kid kty valid_from valid_until x',
  entry: 'amount at balance_after kind note number source',
  seal: 'entries fingerprints first key last number previous sealed_at signature',
  end: 'entries seals',
};

for await (const text of createInterface({ input: createReadStream(file) })) {
  const { ledger, entry, seal, end } = parsed(text);
  if (complete || !ledger === !account) fail(entries + 1, 'a line out of order');
  if (ledger) ({ account, keys } = { ...ledger, ...(keyFile && parsed(readFileSync(keyFile, 'utf8'))) });
  if (entry) addEntry(entry);
  if (seal) checkSeal(seal);
  if (end) complete = end.entries === entries && end.seals === seals;
}
followBalances();
if (!complete) fail(entries + 1, 'the file is cut off');
console.log(
  `Unchanged: ${entries} entries under ${seals} seals, ${unsealed.length} not sealed yet, balance ${balance}.`,
);
console.log(`Newest seal ${previous}, signed with ${keys.map(({ kid }) => kid).join(', ')}`);

/**
 * Refuses members that the format does not have, and repeated ones, of which another program may
 * read the other value.
 */
function parsed(text) {
  const value = JSON.parse(text);
  const parts = (object) =>
    Object.entries(object).flatMap(([name, content]) => [content].flat().map((part) => [name, part]));
  const objects = [...parts(value), ...parts({ keys: value.ledger?.keys ?? [] })];
  const known = objects.every(([name, object]) => Object.keys(object).sort().join(' ') === members[name]);
  const total = objects.reduce((sum, [, object]) => sum + Object.keys(object).length, 1);
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon).length;
  if (!known || written !== total) fail(entries + 1, 'a member is unknown, missing or repeated');
  return value;
}

function addEntry(entry) {
  entries += 1;
  if (entry.number !== entries) fail(Math.min(entry.number, entries), 'missing, repeated or out of order');
  unsealed.push(entry);
}

function checkSeal(seal) {
  const hashes = unsealed.map(entryHash);
  const changed = hashes.findIndex((hash, n) => !hash.startsWith(seal.fingerprints.slice(n * 8, n * 8 + 8) || '-'));
  if (changed >= 0) fail(unsealed[changed].number, `not the one that seal ${seal.number} covers`);
  if (seal.number !== seals + 1 || seal.previous !== previous || seal.first !== entries - hashes.length + 1)
    fail(seal.first, `seal ${seal.number} does not continue seal ${seals}`);
  if (seal.last !== entries) fail(entries + 1, 'missing');
  if (sha256(hashes.join('')) !== seal.entries) fail(seal.first, `seal ${seal.number} does not fit its entries`);
  const { number, first, last, sealed_at: at, key } = seal;
  const signed = JSON.stringify(['pennytext-ledger-1', account, number, first, last, seal.entries, previous, at, key]);
  const jwk = keys.find(({ kid }) => kid === key);
  const known = jwk && sha256url(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`) === key;
  if (!known || at < jwk.valid_from || (jwk.valid_until && at > jwk.valid_until)) fail(first, `unknown key ${key}`);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' });
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(seal.signature, 'base64url')))
    fail(first, `the signature of seal ${number} is wrong`);
  [previous, seals] = [sha256(signed), number];
  followBalances();
  unsealed = [];
}

function followBalances() {
  for (const { number, amount, balance_after: after } of unsealed)
    if ((balance += amount) !== after) fail(number, 'its balance does not follow from the entry before it');
}

function sha256url(text) {
  return createHash('sha256').update(text).digest('base64url');
}

function fail(entry, problem) {
  console.error(`entry ${entry}: ${problem}`);
  process.exit(1);
}
