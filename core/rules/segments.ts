import { limits } from '#contract/limits.js';
import { gsm7SeptetsOf } from '#contract/sms-characters.js';

export interface SegmentCount {
  encoding: 'GSM-7' | 'UCS-2';
  /** Messages that the network transports and bills, at least 1. */
  segments: number;
}

// 3GPP TS 23.040: 140 octets per message; a part of a concatenated message has a 6-octet header.
const { single: GSM7_SINGLE_SEPTETS, part: GSM7_PART_SEPTETS } = limits.gsm7Characters;
const { single: UCS2_SINGLE_UNITS, part: UCS2_PART_UNITS } = limits.ucs2Characters;

/**
 * Counts the segments of exactly this text: GSM-7 if its alphabet (3GPP TS 23.038) contains every
 * character, otherwise UCS-2. Escape pairs, surrogate pairs and grapheme clusters (Unicode UAX #29)
 * are never split across segments. An empty text is one segment. A UCS-2 text whose length alone
 * exceeds the limit gets the lower bound ceil(length / 67), because it is not sent.
 */
export function segmentsOf(text: string): SegmentCount {
  const gsm7Segments = gsm7SegmentsOf(text);
  return gsm7Segments === undefined
    ? { encoding: 'UCS-2', segments: ucs2SegmentsOf(text) }
    : { encoding: 'GSM-7', segments: gsm7Segments };
}

/**
 * Returns the texts of the segments of exactly this text, in the number of {@link segmentsOf}. A
 * UCS-2 text that is too long to be sent may have more segments.
 */
export function segmentTextsOf(text: string): string[] {
  const { encoding, segments } = segmentsOf(text);
  if (segments === 1) return [text];
  const texts: string[] = [];
  for (let start = 0; start < text.length; start += texts.at(-1)?.length ?? 0)
    texts.push(text.slice(start, encoding === 'GSM-7' ? gsm7CutAfter(start, text) : ucs2CutAfter(start, text)));
  return texts;
}

/** Returns the index behind the characters that fit into a part. */
function gsm7CutAfter(start: number, text: string): number {
  let septets = 0;
  for (let index = start; index < text.length; index++) {
    septets += gsm7SeptetsOf(text.charCodeAt(index));
    if (septets > GSM7_PART_SEPTETS) return index;
  }
  return text.length;
}

function ucs2CutAfter(start: number, text: string): number {
  const limit = start + UCS2_PART_UNITS;
  return limit >= text.length ? text.length : lastCutUpTo(limit, text, graphemes.segment(text));
}

/** Returns undefined if a character is outside the alphabet. */
function gsm7SegmentsOf(text: string): number | undefined {
  let septets = 0;
  let parts = 1;
  let partSeptets = 0;
  for (let index = 0; index < text.length; index++) {
    const cost = gsm7SeptetsOf(text.charCodeAt(index));
    if (cost === 0) return undefined;
    septets += cost;
    partSeptets += cost;
    if (partSeptets > GSM7_PART_SEPTETS) {
      parts++;
      partSeptets = cost;
    }
  }
  return septets <= GSM7_SINGLE_SEPTETS ? 1 : parts;
}

function ucs2SegmentsOf(text: string): number {
  if (text.length <= UCS2_SINGLE_UNITS) return 1;
  const leastSegments = Math.ceil(text.length / UCS2_PART_UNITS);
  // This also protects the cluster search below from texts that are long enough to make it slow.
  if (leastSegments > limits.messageSegmentsMax || !mayClusterPattern.test(text)) return leastSegments;

  const clusters = graphemes.segment(text);
  let segments = 1;
  let start = 0;
  while (text.length - start > UCS2_PART_UNITS) {
    start = lastCutUpTo(start + UCS2_PART_UNITS, text, clusters);
    segments++;
  }
  return segments;
}

/**
 * Any character outside the blocks whose characters never form clusters with each other. Combining
 * marks, joiners, variation selectors, conjoining jamo and surrogates are outside.
 */
const mayClusterPattern =
  /[^\0-\u02ff\u0370-\u0482\u048a-\u0590\u05d0-\u05ea\u0606-\u060f\u061b\u061d-\u064a\u0660-\u066f\u0671-\u06d3\u1e00-\u1fff\u2010-\u205f\u20a0-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098\u309b-\u9fff\uac00-\ud7a3\uff01-\uff9d]/;

/** Returns the last index up to `limit` where the text may be split. */
function lastCutUpTo(limit: number, text: string, clusters: Intl.Segments): number {
  const cluster = clusters.containing(limit);
  // CR LF is one cluster in Unicode; the carrier counts two characters.
  if (cluster === undefined || cluster.segment === '\r\n') return limit;
  if (cluster.segment.length <= UCS2_PART_UNITS) return cluster.index;
  // A cluster that is longer than a segment is split between its characters.
  return isLowSurrogate(text.charCodeAt(limit)) && isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/**
 * Returns the number of plain characters that can be appended to a text before it takes another
 * segment, as {@link segmentsOf} counts.
 */
export function charactersLeftIn(text: string): number {
  const { segments } = segmentsOf(text);
  let fitting = 0;
  let tooMany = limits.gsm7Characters.single + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (segmentsOf(text + 'a'.repeat(middle)).segments === segments) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
