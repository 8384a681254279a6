// 3GPP TS 23.038, section 6.2.1: the default alphabet, and its extension table of two-septet
// characters.
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_EXTENSION = '\f^{}\\[~]|€';

const GSM_SINGLE_MAX = 160;
const GSM_PART_MAX = 153;
const UCS2_SINGLE_MAX = 70;
const UCS2_PART_MAX = 67;

const septetsByCode = new Uint8Array(0x20ad);
for (const character of GSM_BASIC) septetsByCode[character.charCodeAt(0)] = 1;
for (const character of GSM_EXTENSION) septetsByCode[character.charCodeAt(0)] = 2;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Counts the segments of a text: 160 or 153 septets in GSM-7, 70 or 67 code units in UCS-2. */
export function segmentCount(text: string): number {
  const septets = gsmSeptets(text);
  if (septets === null) return ucs2Parts(text);
  if (septets <= GSM_SINGLE_MAX) return 1;
  return septets === text.length ? Math.ceil(septets / GSM_PART_MAX) : parts(gsmSizes(text), GSM_PART_MAX);
}

/** Whether a text has characters of GSM-7 alone. */
export function isGsm(text: string): boolean {
  return gsmSeptets(text) !== null;
}

function gsmSeptets(text: string): number | null {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const size = septetsByCode[text.charCodeAt(i)];
    if (!size) return null;
    septets += size;
  }
  return septets;
}

function* gsmSizes(text: string): Generator<number> {
  for (let i = 0; i < text.length; i++) yield septetsByCode[text.charCodeAt(i)] ?? 1;
}

function ucs2Parts(text: string): number {
  return text.length <= UCS2_SINGLE_MAX ? 1 : parts(graphemeSizes(text), UCS2_PART_MAX);
}

// Twilio does not split a grapheme cluster unless it is longer than a segment.
function* graphemeSizes(text: string): Generator<number> {
  for (const { segment } of graphemes.segment(text)) {
    if (segment.length <= UCS2_PART_MAX) yield segment.length;
    else for (const codePoint of segment) yield codePoint.length;
  }
}

function parts(sizes: Iterable<number>, partMax: number): number {
  let count = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > partMax) {
      count += 1;
      used = 0;
    }
    used += size;
  }
  return count;
}
