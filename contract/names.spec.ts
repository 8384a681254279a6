import { typedName } from './names.js';
import { invoiceDetails } from './billing.js';
import { nameIn, signUpFields } from './sign-up.js';

const DECOMPOSED = 'Cafe\u0301';
const COMPOSED = 'Caf\u00e9';

describe('A name that a person types', () => {
  it('is the same however its letters are composed', () => {
    expect(typedName(4).parse(` ${DECOMPOSED} `)).toBe(COMPOSED);
    expect(signUpFields({ username: DECOMPOSED }).username).toBe(COMPOSED);
    expect(nameIn(DECOMPOSED)).toBe(COMPOSED);
    expect(invoiceDetails.parse({ company: DECOMPOSED, address: DECOMPOSED, vatId: '' })).toEqual({
      company: COMPOSED,
      address: COMPOSED,
      vatId: '',
    });
  });

  it('is one line of visible text, of at most so many characters', () => {
    const name = typedName(5);
    expect(name.parse('+1=@-')).toBe('+1=@-');
    for (const wrong of ['', ' ', '\u200b', 'a\nb', 'abcdef']) expect(name.safeParse(wrong).success).toBe(false);
  });
});
