import fc from 'fast-check';
import {
  asciiDigits,
  normalized,
  pasted,
  plainTyped,
  ungrouped,
  withoutInvisible,
  withoutStrayInvisible,
} from '#contract/characters.js';
import { isGsm7, plainTypography, smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { signUpFault } from '#contract/sign-up.js';
import { workOf } from '#contract/testing/text-work.js';
import { optOutWishOf } from '../inbound/opt-out-words.js';
import { defaultRegions } from './regions.js';
import { priceOfText } from '../messages/send/price.js';
import { batchIdFromPublic, messageIdFromPublic, otpIdFromPublic, webhookIdFromPublic } from './ids.js';
import { isSendableText, keepableText } from './message-text.js';
import {
  allowedNetworkOf,
  blockedNetworkOf,
  clientNetwork,
  isNetworkAddress,
  normalAddress,
  webhookUrlFault,
} from './network-addresses.js';
import { isOtpOrg, otpDomainOf, otpMinutesOf, typedCodeOf } from './otp.js';
import { likelyCountry, numberOrSender, parseRecipient, searchedDigits } from './phone-numbers.js';
import { charactersLeftIn, segmentsOf } from './segments.js';
import { parseInstant } from './time.js';
import { urlIn } from './urls.js';
import { compareCarriedText } from '../messages/recovery/carried-text.js';

// Each rule gets a text and the same text doubled. The test compares work, not time: steps of a
// backtracking matcher for each regular expression (V8's is one), the squares of runs of combining
// marks that are sorted, and characters that methods of strings read
// (contract/testing/text-work.ts). Linear rules do twice the work, quadratic rules four times.

/** Every rule over a text that a caller chooses. */
const rules: Readonly<Record<string, (text: string) => unknown>> = {
  asciiDigits,
  'normalized NFC': (text) => normalized(text, 'NFC'),
  'normalized NFKC': (text) => normalized(text, 'NFKC'),
  pasted,
  plainTyped,
  ungrouped,
  withoutInvisible,
  withoutStrayInvisible,
  isGsm7,
  plainTypography,
  smartText,
  unicodeCharactersIn,
  signUpFault: (text) => signUpFault({ username: text, email: text, password: text }),
  optOutWishOf,
  compareCarriedText: (text) => compareCarriedText(text, `${text} `),
  priceOfText: (text) => priceOfText(defaultRegions, '+14155552671', text),
  'priceOfText smart': (text) => priceOfText(defaultRegions, '+14155552671', text, 'smart'),
  'priceOfText gsm7': (text) => priceOfText(defaultRegions, '+14155552671', text, 'gsm7'),
  'priceOfText to': (text) => priceOfText(defaultRegions, text, 'Hello'),
  messageIdFromPublic,
  batchIdFromPublic,
  otpIdFromPublic,
  webhookIdFromPublic,
  isSendableText,
  keepableText,
  allowedNetworkOf,
  blockedNetworkOf,
  clientNetwork,
  isNetworkAddress,
  normalAddress,
  webhookUrlFault: (text) => webhookUrlFault(text, { allowPrivate: false }),
  isOtpOrg,
  otpDomainOf,
  otpMinutesOf,
  typedCodeOf,
  likelyCountry,
  numberOrSender,
  parseRecipient,
  searchedDigits,
  charactersLeftIn,
  segmentsOf,
  parseInstant,
  urlIn,
};

/** Parts whose repetition makes a search start in many places, or return to many. */
const pieces = (
  'a|A|1|.|-|@|:|/|%|+|_| ' +
  `|\n|(|{{|"|,|a.|1.|a@|a:b@|http://|://|tel:|%2e|(dot|.com|www.|你|你.|。|ä|\u0301|\u0301\u0323|\u200b|\u202a|\ufe0f|\u00a0|\uff11|\u0661|👩\u200d|\ud83d|\0`
).split('|');
const heads = ['', 'a@', 'http://'];
const tails = ['', '!', ' '];
/**
 * Repetitions, not characters: rules drop invisible characters first, and the rest must exceed any
 * bounded repetition, such as the 63 characters of a label in a host.
 */
const REPETITIONS = 160;
/** Below this the fixed costs of a rule hide its growth. */
const WORK_MIN = 1_000;
/** Work in proportion to the length doubles; quadratic work quadruples. */
const GROWTH_MAX = 3;

type Rule = (text: string) => unknown;
/** Beginning, repeated part and end of a text. */
type Shape = readonly [head: string, unit: string, tail: string];
/** User information of a link: its maximum of 500 characters is exceeded between two lengths. */
const LONG_USER_INFORMATION: Shape = ['http://', '@a', ''];

function workOn(rule: Rule, [head, unit, tail]: Shape, repetitions: number): number {
  const text = head + unit.repeat(repetitions) + tail;
  return workOf(() => rule(text));
}

/**
 * Returns the work of a rule as a multiple of the work on half the text. Where a text exceeds a
 * bounded repetition, the work can jump once, so the smaller of two doublings counts.
 */
function growth(rule: Rule, shape: Shape): number {
  const first = growthFrom(REPETITIONS, rule, shape);
  return first < GROWTH_MAX ? first : Math.min(first, growthFrom(2 * REPETITIONS, rule, shape));
}

function growthFrom(repetitions: number, rule: Rule, shape: Shape): number {
  return workOn(rule, shape, 2 * repetitions) / Math.max(WORK_MIN, workOn(rule, shape, repetitions));
}

describe('the work of rules over texts', () => {
  it.each(Object.keys(rules))('doubles at most with the length of the text: %s', (name) => {
    const rule = rules[name];
    if (!rule) throw new Error('The table has no such rule');
    const shape = fc.tuple(
      fc.constantFrom(...heads),
      fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 4 }).map((some) => some.join('')),
      fc.constantFrom(...tails),
    );
    const alone: [Shape][] = heads.flatMap((head) =>
      pieces.map((unit, n) => [[head, unit, tails[n % tails.length] ?? ''] as const] as [Shape]),
    );
    fc.assert(
      fc.property(shape, (some) => {
        expect(growth(rule, some)).toBeLessThan(GROWTH_MAX);
      }),
      { numRuns: alone.length + 1 + 20, examples: [...alone, [LONG_USER_INFORMATION]] },
    );
  });

  it.each<[string, Rule, Shape]>([
    ['a pattern that starts everywhere', (text) => text.replace(/\s+$/u, ''), ['', ' ', 'x']],
    ['quantifiers that overlap', (text) => /^\s*[\d\s]+$/.test(text), ['', ' ', 'x']],
    ['a class that holds what follows it', (text) => /^[^@]+@[^\s@]+\.[^\s@]+$/.test(text), ['a@', '.', ' ']],
    ['sorted combining marks', (text) => text.normalize('NFC'), ['a', '\u0301\u0323', '']],
    ['a search for every character', (text) => Array.from(text, () => text.indexOf('x')), ['', 'a', '']],
  ])('is counted as four times as much for %s', (_name, rule, shape) => {
    expect(growth(rule, shape)).toBeGreaterThan(3.5);
  });

  it('is counted as exponential for nested quantifiers', () => {
    const rule = (text: string) => /^(?:a+,?)+$/.test(text);
    const works = [8, 9, 10].map((repetitions) => workOn(rule, ['', 'a', '!'], repetitions));
    expect((works[2] ?? 0) / (works[1] ?? 1)).toBeGreaterThan(1.8);
  });
});
