import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTitles, clientFiles, languagesOfSamples, placeholders, sampleFiles } from './samples.js';

const folder = join(__dirname, 'samples');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));

const root = join(__dirname, '../../..');
const DATE = /\b20\d\d-\d\d-\d\d\b/g;
/**
 * Files that people read and copy. They may contain past dates, as in answers and reports, but no
 * future ones, which will pass.
 */
const readFiles = [
  'README.md',
  ...[
    'docs',
    'web/src/content',
    'web/src/features',
    'sdk/typescript/src',
    'contract',
    'admin',
    'server',
    'core/mail',
  ].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(md|tsx?|sh|py|mjs|js|php|rb|cs|java)$/.test(path) && !path.endsWith('.spec.ts'))
      .map((path) => join(name, path)),
  ),
];

describe('dates', () => {
  it.each(files)('%s has none, as it would pass', (file) => {
    expect(readFileSync(join(folder, file), 'utf8').match(DATE)).toBeNull();
  });

  it('stand nowhere in texts while they are still to come', () => {
    const today = new Date().toISOString().slice(0, 10);
    const toCome = readFiles.flatMap((path) =>
      (readFileSync(join(root, path), 'utf8').match(DATE) ?? [])
        .filter((date) => date > today)
        .map((date) => `${path}: ${date}`),
    );
    expect(readFiles.length).toBeGreaterThan(100);
    expect(toCome).toEqual([]);
  });
});

describe('samples', () => {
  it('has a folder for every call', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(callTitles).sort());
  });

  it('sends a message in every language without a package', () => {
    const names = languagesOfSamples.map((language) => sampleFiles[language].name);
    expect(readdirSync(join(folder, 'send-sms'))).toEqual(expect.arrayContaining(names));
  });

  it.each(Object.keys(callTitles).filter((call) => call !== 'receive-replies'))(
    'shows %s with every client, and by curl',
    (call) => {
      const names = Object.values(clientFiles).map(({ name }) => name);
      expect(readdirSync(join(folder, call))).toEqual(expect.arrayContaining([...names, sampleFiles.curl.name]));
    },
  );

  it.each(files)('%s contains the placeholders to replace', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (file.startsWith('receive-replies')) {
      expect(text).toContain(placeholders.webhookSecret);
      expect(text).toContain(placeholders.receiverPort);
    } else {
      expect(text).toContain(placeholders.host);
      expect(text).toContain(placeholders.apiKey);
    }
  });
});
