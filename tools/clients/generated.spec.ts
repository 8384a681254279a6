import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { emitters } from './emitters.js';
import { clientModel } from './model.js';
import { samplePrograms } from './sample-programs.js';

const files = [
  ...Object.entries(emitters).flatMap(([language, emit]) =>
    Object.entries(emit(clientModel())).map(([path, text]) => [`sdk/${language}/${path}`, text] as const),
  ),
  ...Object.entries(samplePrograms()),
];

describe('the clients', () => {
  it.each(files)('are generated from the contract in %s: run npm run -s docs:sdk', (path, text) => {
    const file = join(__dirname, '../..', path);
    if (process.env.UPDATE_DOCS === '1') {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
