import { DEFAULT_ALPHABET, EXTENSION_TABLE, isGsm7 } from '#contract/sms-characters.js';
import { keepableText } from '../../rules/message-text.js';
import { segmentTextsOf } from '../../rules/segments.js';

/** Values of data_coding: SMPP 3.4, section 5.2.19. */
const UCS2_CODING = 8;

const ESCAPE = 0x1b;
/** Codes of EXTENSION_TABLE in its order: 3GPP TS 23.038, section 6.2.1.1. */
const EXTENSION_CODES = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65];

/** Code of a character, with the escape as its high octet if it has one, and the reverse. */
const codeOf = new Uint16Array('€'.charCodeAt(0) + 1);
const characterOf = new Map<number, string>();
const extendedCharacterOf = new Map<number, string>();
[...DEFAULT_ALPHABET].forEach((character, index) => {
  const code = index < ESCAPE ? index : index + 1;
  codeOf[character.charCodeAt(0)] = code;
  characterOf.set(code, character);
});
[...EXTENSION_TABLE].forEach((character, index) => {
  const code = EXTENSION_CODES[index] ?? 0;
  codeOf[character.charCodeAt(0)] = ESCAPE * 256 + code;
  extendedCharacterOf.set(code, character);
});

/** The text of a message as octets, one buffer for each segment. */
export interface EncodedText {
  readonly dataCoding: number;
  readonly segments: readonly Buffer[];
}

/**
 * Encodes a text as GSM-7, one septet to an octet, if that alphabet has all its characters;
 * otherwise as UCS-2. The segments equal the counted and billed segments.
 */
export function encodeText(text: string, gsm7Coding: number): EncodedText {
  const texts = segmentTextsOf(text);
  return isGsm7(text)
    ? { dataCoding: gsm7Coding, segments: texts.map(gsm7Octets) }
    : { dataCoding: UCS2_CODING, segments: texts.map(ucs2Octets) };
}

function gsm7Octets(text: string): Buffer {
  const octets = Buffer.alloc(2 * text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = codeOf[text.charCodeAt(index)] ?? 0;
    if (code > 255) octets[length++] = ESCAPE;
    octets[length++] = code % 256;
  }
  return octets.subarray(0, length);
}

function ucs2Octets(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Text encodings of data_coding values below 16 by their names in the Encoding Standard. */
const encodings: Readonly<Record<number, string>> = {
  1: 'us-ascii',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  10: 'iso-2022-jp',
  13: 'euc-jp',
  14: 'euc-kr',
};

/**
 * Decodes a text by its data_coding; GSM-7 may have the peer's own data_coding. Octets of a binary
 * coding are read as Latin-1. Characters that cannot be stored become U+FFFD.
 */
export function decodeText(octets: Buffer, dataCoding: number, gsm7Coding: number): string {
  return keepableText(decoded(octets, dataCoding, gsm7Coding));
}

function decoded(octets: Buffer, dataCoding: number, gsm7Coding: number): string {
  if (dataCoding === 0 || dataCoding === gsm7Coding) return gsm7Text(octets);
  if (dataCoding >= 16) return ofCodingGroup(octets, dataCoding);
  if (dataCoding === UCS2_CODING) return ucs2Text(octets);
  const encoding = encodings[dataCoding];
  return encoding === undefined ? octets.toString('latin1') : new TextDecoder(encoding).decode(octets);
}

/**
 * Codings with a message class or a waiting indication: 3GPP TS 23.038, section 4. In the groups
 * 00xx and 1110, bits 3 and 2 name the alphabet, in 1111 bit 2.
 */
function ofCodingGroup(octets: Buffer, dataCoding: number): string {
  const group = dataCoding >> 4;
  const alphabet = group === 0xf ? (dataCoding >> 2) & 1 : group < 4 || group === 0xe ? (dataCoding >> 2) & 3 : 0;
  if (alphabet === 0) return gsm7Text(octets);
  return alphabet === 2 ? ucs2Text(octets) : octets.toString('latin1');
}

/** A code that the extension table lacks is read by the default alphabet. */
function gsm7Text(octets: Buffer): string {
  let text = '';
  let isEscaped = false;
  for (const octet of octets) {
    if (octet === ESCAPE && !isEscaped) {
      isEscaped = true;
      continue;
    }
    const extended = isEscaped ? extendedCharacterOf.get(octet) : undefined;
    text += extended ?? characterOf.get(octet) ?? (octet === ESCAPE ? ' ' : '\ufffd');
    isEscaped = false;
  }
  return isEscaped ? `${text} ` : text;
}

/** An odd octet at the end is left out. */
function ucs2Text(octets: Buffer): string {
  const whole = Buffer.from(octets.subarray(0, octets.length - (octets.length % 2)));
  return whole.swap16().toString('utf16le');
}
