import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseLocalEnv } from './local-env.js';

/** No process has a variable with NUL. */
const text = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...`'"\\\`$#~ \t\r\nn{}=,:ü😀`), fc.string({ unit: 'binary', maxLength: 1 })),
  })
  .map((some) => some.replaceAll('\0', ''));

/** Quotes a part of a value as a shell allows it. */
const quoted = fc.oneof(
  text.map((some) => `'${some.replaceAll("'", '')}'`),
  text.map((some) => `"${some.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"`),
  text.map((some) => some.replaceAll('\n', '').replaceAll(/[^]/gu, String.raw`\$&`)),
  fc.string({ unit: fc.constantFrom(...'aZ09._/@%+=-') }),
);
const values = fc.array(
  fc.array(quoted, { maxLength: 4 }).map((parts) => parts.join('')),
  { maxLength: 20 },
);

describe('parseLocalEnv', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'local-env-')), 'local.env');

  /** Returns the variables that bash reads. */
  function assignedByBash(lines: string, names: readonly string[]): Record<string, string> {
    if (names.length === 0) return {};
    writeFileSync(file, lines);
    const print = `. "$0"; printf '%s\\0' ${names.map((name) => `"$${name}"`).join(' ')}`;
    const printed = execFileSync('bash', ['--norc', '-c', print, file], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8' },
    });
    const parts = printed.split('\0');
    return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
  }

  it('reads every value as a shell does', () => {
    fc.assert(
      fc.property(values, (given) => {
        const names = given.map((_value, index) => `V_${index}`);
        const lines = given.map((value, index) => `${names[index]}=${value}\n`).join('');
        expect(parseLocalEnv(lines)).toEqual(assignedByBash(lines, names));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the JSON of a setting, whatever is in it', () => {
    const json = JSON.stringify([{ name: 'smsc', password: String.raw`it's "\n" $HOME` }]);
    expect(parseLocalEnv(`A=1\nSMPP_BINDS='${json.replaceAll("'", String.raw`'\''`)}'\nB=\n`)).toEqual({
      A: '1',
      SMPP_BINDS: json,
      B: '',
    });
  });

  it.each([
    ["A=1\nB='2", 2],
    ['A=1\nB=two words\n', 2],
    ['A', 1],
    ['A=1', 1],
    ["A='1\n2'\n2A=3\n", 3],
  ])('refuses %j, and names the line', (lines, line) => {
    expect(() => parseLocalEnv(lines)).toThrow(`Line ${line} assigns no variable`);
  });
});
