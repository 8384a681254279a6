/** Letters and digits that are not taken for one another; no vowel but A and E, so that hardly a word comes out. */
export const redeemAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

const GROUP_CHARACTERS = 4;

/** A code as it is stored, however it was typed: capitals, without spaces and dashes. */
export function normalRedeemCode(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** A code as people read it: 'ABCD-EFGH-JKMN'. */
export function shownRedeemCode(code: string): string {
  return code.replace(new RegExp(`.{${GROUP_CHARACTERS}}(?=.)`, 'g'), '$&-');
}
