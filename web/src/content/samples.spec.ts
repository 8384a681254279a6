import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTitles, languagesOfSamples, placeholders, sampleFiles } from './samples.js';

const folder = join(__dirname, 'samples');
const inEveryLanguage = ['send-sms', 'send-otp', 'verify-otp'];
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));

describe('samples', () => {
  it('has a folder for every call', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(callTitles).sort());
  });

  it.each(inEveryLanguage)('has %s in every language', (call) => {
    const names = languagesOfSamples.map((language) => sampleFiles[language].name);
    expect(readdirSync(join(folder, call)).sort()).toEqual(names.sort());
  });

  it.each(files)('%s contains the placeholders to replace', (file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (file.startsWith('receive-replies')) {
      expect(text).toContain(placeholders.webhookSecret);
      expect(text).toContain(placeholders.receiverPort);
    } else {
      expect(text).toContain(`${placeholders.host}/api/`);
      expect(text).toContain(placeholders.apiKey);
    }
  });
});
