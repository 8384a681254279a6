import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { emitters } from './emitters.js';
import { clientModel } from './model.js';
import { samplePrograms } from './sample-programs.js';

/** The mark is at the beginning of a file, maybe behind the language's own first lines. */
const MARK_WITHIN_CHARACTERS = 200;

const files = [
  ...Object.entries(emitters).flatMap(([language, emit]) =>
    Object.entries(emit(clientModel())).map(([path, text]) => [`sdk/${language}/${path}`, text] as const),
  ),
  ...Object.entries(samplePrograms()),
];

const root = join(__dirname, '../..');
const MARK = 'from the contract by `npm run -s docs:sdk`';
const isMarked = (path: string) =>
  statSync(path).isFile() && readFileSync(path, 'utf8').slice(0, MARK_WITHIN_CHARACTERS).includes(MARK);

describe('the clients', () => {
  it.each(files)('are generated from the contract in %s: run npm run -s docs:sdk', (path, text) => {
    const file = join(root, path);
    if (process.env.UPDATE_DOCS === '1') {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each(Object.keys(emitters))('have no file in sdk/%s that the contract does not need any more', (language) => {
    const folder = `sdk/${language}`;
    const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => isMarked(join(root, path)));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((path) => !files.some(([generated]) => generated === path))).toEqual([]);
  });
});
