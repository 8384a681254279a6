/** Unambiguous letters and digits; of the vowels only A and E, so that codes rarely spell words. */
export const redeemAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

const GROUP_CHARACTERS = 4;

/** Normalizes a typed code to its stored form: upper case, without spaces and dashes. */
export function normalRedeemCode(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** Formats a stored code for display: 'ABCD-EFGH-JKMN'. */
export function shownRedeemCode(code: string): string {
  return code.replace(new RegExp(`.{${GROUP_CHARACTERS}}(?=.)`, 'g'), '$&-');
}
