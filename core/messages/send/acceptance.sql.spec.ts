import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptanceStatements } from './acceptance.sql.js';

const file = join(__dirname, 'acceptance.generated.sql');
const generated = [
  '-- The variants of the acceptance statement as they run, put together in acceptance.sql.ts.',
  '-- Written by npm run -s sql:acceptance.',
  ...Object.entries(acceptanceStatements).map(([name, { text }]) => `\n-- ${name}\n${text.trim()};\n`),
].join('\n');
if (process.env.UPDATE_DOCS === '1') writeFileSync(file, generated);

describe('acceptance.generated.sql', () => {
  it('has the statements as they run: run npm run -s sql:acceptance', () => {
    expect(readFileSync(file, 'utf8')).toBe(generated);
  });
});
