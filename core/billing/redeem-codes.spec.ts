import { normalRedeemCode, redeemAlphabet, shownRedeemCode } from './redeem-codes.js';

describe('redeem codes', () => {
  it.each(['ABCDEFGH2345', 'abcd-efgh-2345', ' ABCD efgh\t2345 ', 'ABCD–EFGH—2345', 'ＡＢＣＤ−EFGH\u200b２３４５'])(
    'takes "%s" for the same',
    (text) => {
      expect(normalRedeemCode(text)).toBe('ABCDEFGH2345');
    },
  );

  it.each(['', '   ', '-', '\n'])('takes %j for nothing', (text) => {
    expect(normalRedeemCode(text)).toBe('');
  });

  it('are shown in groups of four, and read back', () => {
    expect(shownRedeemCode('ABCDEFGH2345')).toBe('ABCD-EFGH-2345');
    expect(normalRedeemCode(shownRedeemCode('ABCDEFGH2345'))).toBe('ABCDEFGH2345');
  });

  it('have no letter that could be taken for a digit', () => {
    expect(redeemAlphabet).toHaveLength(30);
    expect(redeemAlphabet).not.toMatch(/[01OILU]/);
  });
});
