import { callLanguages } from '#contract/otp-channels.js';
import { spokenParts, spokenText } from './spoken-codes.js';

const text = { code: '048213', org: 'Acme', domain: undefined };

describe('spokenText', () => {
  it.each(callLanguages)('names the organization, and spells the code twice, in %s', (language) => {
    const spoken = spokenText(text, language);
    expect(spoken.match(/0, 4, 8, 2, 1, 3\./g)).toHaveLength(2);
    expect(spoken).toContain('Acme.');
    expect(spokenText({ ...text, org: undefined }, language)).not.toMatch(/Acme|undefined/);
  });

  it('has no tag in the default language', () => {
    expect(spokenText(text)).toBe(
      'Hello. This is a call from Acme. Your verification code is: 0, 4, 8, 2, 1, 3. ' +
        'Once more, your code is: 0, 4, 8, 2, 1, 3. Goodbye.',
    );
  });
});

describe('spokenParts', () => {
  it('takes the tag from the words', () => {
    expect(spokenParts(spokenText({ ...text, org: undefined }, 'fr-CA'))).toEqual({
      language: 'fr-CA',
      words:
        'Votre code de vérification est : 0, 4, 8, 2, 1, 3. Je répète, votre code est : 0, 4, 8, 2, 1, 3. Au revoir.',
    });
  });

  it.each(['Hello. fr-FR ', 'xx-XX Hello.', 'fr-FR', ''])('leaves the text %j whole', (words) => {
    expect(spokenParts(words)).toEqual({ language: 'en-US', words });
  });
});
