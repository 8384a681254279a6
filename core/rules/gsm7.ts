// 3GPP TS 23.038, sections 6.2.1 (default alphabet) and 6.2.1.1 (extension table). In the extension table 0x0A is the
// page break (form feed) and 0x1B in the default alphabet is the escape itself, which text cannot hold.
const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION_TABLE = '\f^{}\\[~]|€';

/** Character code → septets; 0 for a character outside the alphabet. '€' is its highest character. */
const septetsByCode = new Uint8Array('€'.charCodeAt(0) + 1);
for (const character of DEFAULT_ALPHABET) septetsByCode[character.charCodeAt(0)] = 1;
for (const character of EXTENSION_TABLE) septetsByCode[character.charCodeAt(0)] = 2;

/** Septets that a UTF-16 code unit takes in GSM-7: 1, or 2 with its escape, or 0 if the alphabet does not hold it. */
export function gsm7SeptetsOf(codeUnit: number): number {
  return septetsByCode[codeUnit] ?? 0;
}
