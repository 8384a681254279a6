import { readXml, type XmlElement } from './xml.js';

/** A sentence of a call, as `<Say>` gives it. */
export interface Said {
  readonly text: string;
  readonly language: string;
  readonly voice: string;
}

/**
 * TwiML that was read. `problem` is the error that Twilio would log: its number, a colon and words.
 */
export type Twiml =
  | { readonly kind: 'read'; readonly sentences: readonly Said[] }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Defaults of Twilio's page on `<Say>`. */
const LANGUAGE_DEFAULT = 'en-US';
const VOICE_DEFAULT = 'man';
const LOOPS_MAX = 1_000;
const PAUSE_SECONDS_MAX = 600;
/** Repetitions of a sentence that are stored. */
const LOOPS_KEPT_MAX = 10;

const SAY_ATTRIBUTES = ['voice', 'language', 'loop'];
/** Elements of SSML, whose text is spoken. */
const SSML = ['break', 'emphasis', 'lang', 'p', 'phoneme', 'prosody', 's', 'say-as', 'sub', 'w'];

/** An error of TwiML that ends the call. */
class TwimlError extends Error {}

/** Reads the instructions of a call: `<Response>` with `<Say>` and `<Pause>`. */
export function readTwiml(text: string): Twiml {
  const document = readXml(text);
  if (document.kind === 'malformed')
    return { kind: 'invalid', problem: `12100: Document parse failure: ${document.reason}` };
  try {
    return { kind: 'read', sentences: saysOf(document.root) };
  } catch (error) {
    if (error instanceof TwimlError) return { kind: 'invalid', problem: error.message };
    throw error;
  }
}

/** Text of the sentences as one. */
export function spokenText(sentences: readonly Said[]): string {
  return sentences.map(({ text }) => text).join(' ');
}

function saysOf(root: XmlElement): Said[] {
  if (root.name !== 'Response') throw new TwimlError(`12102: The root element is <${root.name}>, not <Response>`);
  const sentences: Said[] = [];
  for (const child of root.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') throw new TwimlError('12200: Schema validation: <Response> has text');
    } else if (child.name === 'Say') sentences.push(...sayOf(child));
    else if (child.name === 'Pause') checkPause(child);
    else throw new TwimlError(`12200: Schema validation: the sandbox has no verb <${child.name}>`);
  }
  return sentences;
}

function sayOf(element: XmlElement): Said[] {
  checkAttributes(element, SAY_ATTRIBUTES);
  const { voice = VOICE_DEFAULT, language = LANGUAGE_DEFAULT, loop = '1' } = element.attributes;
  const loops = Number(loop);
  if (!/^\d+$/.test(loop) || loops > LOOPS_MAX) throw new TwimlError('13510: Say: Invalid loop value');
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language)) throw new TwimlError('13512: Say: Invalid language attribute');
  const text = wordsOf(element).replace(/\s+/g, ' ').trim();
  if (text === '') throw new TwimlError('13520: Say: Invalid text');
  // Zero repeats until the call ends.
  const kept = loops === 0 ? LOOPS_KEPT_MAX : Math.min(loops, LOOPS_KEPT_MAX);
  return Array.from({ length: kept }, () => ({ text, language, voice }));
}

function wordsOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child;
      if (!SSML.includes(child.name)) throw new TwimlError(`12200: Schema validation: <Say> contains <${child.name}>`);
      return child.name === 'break' ? ' ' : wordsOf(child);
    })
    .join('');
}

function checkPause(element: XmlElement): void {
  checkAttributes(element, ['length']);
  const { length = '1' } = element.attributes;
  if (!/^\d+$/.test(length) || Number(length) < 1 || Number(length) > PAUSE_SECONDS_MAX)
    throw new TwimlError('13610: Pause: Invalid length value');
}

function checkAttributes({ name, attributes }: XmlElement, known: readonly string[]): void {
  const unknown = Object.keys(attributes).find((attribute) => !known.includes(attribute));
  if (unknown !== undefined)
    throw new TwimlError(`12200: Schema validation: <${name}> has no attribute ${JSON.stringify(unknown)}`);
}
