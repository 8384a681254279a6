import { Metadata } from 'libphonenumber-js/core';
import { AsYouType, type CountryCode, parsePhoneNumberFromString, type PhoneNumberType } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import { plainTyped } from '#contract/characters.js';

// libphonenumber-js compiles a country's patterns again for each number. Numbers in plain E.164
// form, which most programs send, are recognized here with the same patterns compiled once; the
// library decides everything else, and is the oracle in the tests.

interface TypePattern {
  readonly type: PhoneNumberType;
  readonly lengths: readonly number[] | undefined;
  readonly pattern: RegExp;
}

interface Country {
  readonly country: CountryCode;
  /** Leading digits of this country's numbers within the calling code. */
  readonly leadingDigits: RegExp | undefined;
  readonly general: RegExp;
  readonly fixedLine: TypePattern | undefined;
  readonly hasMobilePattern: boolean;
  readonly others: readonly TypePattern[];
}

interface CallingCode {
  readonly countries: readonly Country[];
  /** Digits after the calling code that may be a national prefix, which the library removes. */
  readonly nationalPrefix: RegExp | undefined;
}

/**
 * Undeclared members of the library's class:
 * https://gitlab.com/catamphetamine/libphonenumber-js/-/blob/master/METADATA.md
 */
interface NumberingPlans {
  hasCallingCode(code: string): boolean;
  /** Undefined for a calling code of no country, such as 800. */
  getCountryCodesForCallingCode(code: string): readonly CountryCode[] | undefined;
  selectNumberingPlan(countryOrCallingCode: string): void;
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(
    type: PhoneNumberType,
  ): { pattern(): string | undefined; possibleLengths(): readonly number[] | undefined } | undefined;
}

/** Types in the order in which the library tries them. */
const OTHER_TYPES: readonly PhoneNumberType[] = [
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];
const CALLING_CODE_DIGITS_MAX = 3;
const E164 = /^\+[1-9]\d{6,14}$/;

const plans = new Metadata(metadata) as unknown as NumberingPlans;
const callingCodes = new Map<string, CallingCode>();

/**
 * Returns country and type of a number in plain E.164 form; undefined when the library has to
 * decide.
 */
export function recognizeE164(number: string): { country: CountryCode; type: PhoneNumberType } | undefined {
  if (!E164.test(number)) return undefined;
  const code = callingCodeOf(number);
  if (code === undefined) return undefined;
  const national = number.slice(1 + code.length);
  const { countries, nationalPrefix } = patternsOf(code);
  if (nationalPrefix?.test(national)) return undefined;
  for (const country of countries) {
    if (countries.length > 1 && country.leadingDigits && !country.leadingDigits.test(national)) continue;
    const type = typeOf(national, country);
    if (type !== undefined) return { country: country.country, type };
    // The library also stops here.
    if (country.leadingDigits) return undefined;
  }
  return undefined;
}

/** Calling codes are prefix-free (ITU-T E.164). */
function callingCodeOf(number: string): string | undefined {
  for (let digits = 1; digits <= CALLING_CODE_DIGITS_MAX; digits += 1) {
    const code = number.slice(1, 1 + digits);
    if (callingCodes.has(code) || plans.hasCallingCode(code)) return code;
  }
  return undefined;
}

function patternsOf(code: string): CallingCode {
  let patterns = callingCodes.get(code);
  if (!patterns) {
    const countries = (plans.getCountryCodesForCallingCode(code) ?? []).map(compile);
    plans.selectNumberingPlan(code);
    const prefix = plans.nationalPrefixForParsing();
    patterns = { countries, nationalPrefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined };
    callingCodes.set(code, patterns);
  }
  return patterns;
}

function compile(country: CountryCode): Country {
  plans.selectNumberingPlan(country);
  const leadingDigits = plans.leadingDigits();
  return {
    country,
    leadingDigits: leadingDigits ? new RegExp(`^(?:${leadingDigits})`) : undefined,
    general: entirely(plans.nationalNumberPattern()),
    fixedLine: typePattern('FIXED_LINE'),
    hasMobilePattern: Boolean(plans.type('MOBILE')?.pattern()),
    others: OTHER_TYPES.flatMap((type) => typePattern(type) ?? []),
  };
}

function typePattern(type: PhoneNumberType): TypePattern | undefined {
  const plan = plans.type(type);
  const pattern = plan?.pattern();
  return plan && pattern ? { type, lengths: plan.possibleLengths(), pattern: entirely(pattern) } : undefined;
}

function typeOf(
  national: string,
  { general, fixedLine, hasMobilePattern, others }: Country,
): PhoneNumberType | undefined {
  if (!general.test(national)) return undefined;
  const matches = ({ lengths, pattern }: TypePattern) =>
    (!lengths || lengths.includes(national.length)) && pattern.test(national);
  if (fixedLine && matches(fixedLine)) {
    const mobile = others.find(({ type }) => type === 'MOBILE');
    // The metadata omits a mobile pattern that equals the fixed-line pattern.
    return !hasMobilePattern || (mobile && matches(mobile)) ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE';
  }
  return others.find(matches)?.type;
}

function entirely(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

// The full metadata validates numbers by the numbering plan, not only by length, and has their
// types.

export interface Recipient {
  /** Number in E.164 format, '+14155552671'. */
  e164: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Type of a number that cannot be a mobile number, such as 'premium-rate'. */
  unsupportedType?: string;
}

const INPUT_LENGTH_MAX = 64;
/** Digits of a number as it is dialed within the USA. */
const NATIONAL_DIGITS_MAX = 10;
// Digits as people group them, with no-break spaces and typographic dashes as copied from pages and
// address books. Letters and '#', ';', ',', '*' are not accepted: an extension, a vanity number or
// a dial code cannot receive an SMS.
const PLAIN_NUMBER = /^\+?[\d\s().\-/\u2010-\u2015\u2212]+$/;
const OPTIONS = { defaultCountry: 'US', extract: false } as const;
/**
 * Twilio's test numbers lie in a range of personal numbers:
 * https://www.twilio.com/docs/iam/test-credentials
 */
const MAGIC_NUMBER = /^\+1500555\d{4}$/;

/** Number types of libphonenumber; undefined can be a mobile number. */
const unsupportedTypes = {
  MOBILE: undefined,
  FIXED_LINE_OR_MOBILE: undefined,
  FIXED_LINE: 'landline',
  PREMIUM_RATE: 'premium-rate',
  TOLL_FREE: 'toll-free',
  SHARED_COST: 'shared-cost',
  VOIP: 'VoIP',
  PERSONAL_NUMBER: 'personal',
  PAGER: 'pager',
  UAN: 'company-wide (UAN)',
  VOICEMAIL: 'voicemail',
} as const satisfies Record<PhoneNumberType, string | undefined>;

/**
 * Parses an SMS recipient by libphonenumber's rules; returns undefined unless it is a valid number
 * of one country. Without '+' the number is read as dialed in the USA, so '011' starts a foreign
 * number. Countries that share a calling code are distinguished. A valid number that cannot be a
 * mobile number has an `unsupportedType`.
 */
export function parseRecipient(to: string): Recipient | undefined {
  const recognized = recognizeE164(to);
  if (recognized) return recipientOf(to, recognized.country, recognized.type);
  return parseWithLibrary(to);
}

/** As {@link parseRecipient}, for any notation; takes several times as long. */
export function parseWithLibrary(to: string): Recipient | undefined {
  const plain = plainNumber(to);
  if (plain === undefined) return undefined;
  const number = parsePhoneNumberFromString(plain, OPTIONS);
  if (number?.country === undefined) return undefined;
  // With the full metadata a number is valid exactly if it has a type.
  const type = number.getType();
  return type === undefined ? undefined : recipientOf(number.number, number.country, type);
}

/**
 * Returns the E.164 number meant by a text that is not valid as dialed in the USA: a foreign number
 * without `+`, or with `00` in its place. Undefined unless the text can mean exactly one possible
 * mobile number.
 */
export function meantNumber(to: string): string | undefined {
  const plain = plainNumber(to);
  if (plain === undefined || parseWithLibrary(plain)) return undefined;
  const digits = plain.replaceAll(/\D/g, '');
  const isInternational = digits.length > NATIONAL_DIGITS_MAX;
  const written = plain.startsWith('+') || !isInternational ? [] : [digits];
  const meant = [...written, ...(digits.startsWith('00') ? [digits.slice(2)] : [])].flatMap((number) => {
    const recipient = parseWithLibrary(`+${number}`);
    return recipient && recipient.unsupportedType === undefined ? [recipient.e164] : [];
  });
  return meant.length === 1 ? meant[0] : undefined;
}

/**
 * Returns a number in ASCII digits, without invisible characters and surrounding white space;
 * undefined for a text that cannot be a number.
 */
function plainNumber(typed: string): string | undefined {
  if (typed.length > INPUT_LENGTH_MAX) return undefined;
  // The library knows only some kinds of spaces.
  const plain = plainTyped(typed).replace(/\s/g, ' ');
  return PLAIN_NUMBER.test(plain) && !isDecimal(plain) ? plain : undefined;
}

/** Maximum of digits before the last group of zeros in a grouped number. */
const GROUPED_DIGITS_MAX = 3;

/**
 * Whether a table may have made a decimal of a number, such as 491601234567.0: its zeros would be
 * digits of another person's number. A dot separates groups of at least two digits, or shorter
 * groups beside another dot, such as a calling code. A dot at the end is ignored.
 */
function isDecimal(plain: string): boolean {
  const groups = plain
    .replace(/[.\s]+$/, '')
    .split('.')
    .map((group) => group.replaceAll(/\D/g, ''));
  if (groups.length === 1) return false;
  const [before = '', last = ''] = groups.slice(-2);
  if (last.length < 2 || (groups.length === 2 && before.length < 2)) return true;
  return /^0+$/.test(last) && (groups.length === 2 || before.length > GROUPED_DIGITS_MAX);
}

/** Returns the reason why `parseRecipient` finds no number in a typed text. */
export function noNumberText(typed: string): string {
  const plain = typed.length > INPUT_LENGTH_MAX ? '' : plainTyped(typed);
  return PLAIN_NUMBER.test(plain) && isDecimal(plain)
    ? 'This is a decimal, as a table makes of a phone number. Format the column as text, and write + and country code.'
    : 'This is not a valid phone number. Write it with + and country code.';
}

/** Returns the digits of a part of a number for a search, with a leading '+'. */
export function searchedDigits(typed: string): string {
  const plain = plainTyped(typed);
  return `${plain.startsWith('+') ? '+' : ''}${plain.replaceAll(/\D/g, '')}`;
}

/**
 * Returns a number in E.164 format; a short code or an alphanumeric sender as typed, without
 * characters that pasting adds.
 */
export function numberOrSender(typed: string): string {
  return parseRecipient(typed)?.e164 ?? plainTyped(typed);
}

function recipientOf(e164: string, country: string, type: PhoneNumberType): Recipient {
  const unsupportedType = MAGIC_NUMBER.test(e164) ? undefined : unsupportedTypes[type];
  return { e164, country, ...(unsupportedType !== undefined && { unsupportedType }) };
}

/**
 * Returns the country (ISO 3166-1 alpha-2) of a valid number in E.164 format, and its block: the
 * calling code and the next seven digits. Throws for any other text.
 */
export function numberBlockOf(e164: string): { readonly country: string; readonly block: string } {
  const number = parsePhoneNumberFromString(e164);
  if (number?.country === undefined) throw new Error('Only a valid number has a block');
  return { country: number.country, block: `+${number.countryCallingCode}${number.nationalNumber.slice(0, 7)}` };
}

/**
 * Guesses the country (ISO 3166-1 alpha-2) of a partly typed number; returns undefined while the
 * digits are ambiguous.
 */
export function likelyCountry(to: string): string | undefined {
  const plain = plainNumber(to);
  if (plain === undefined) return undefined;
  const typed = new AsYouType(OPTIONS.defaultCountry);
  typed.input(plain);
  return parseRecipient(plain)?.country ?? typed.getCountry();
}

const UNMASKED_DIGITS_MAX = 5;

/**
 * Keeps at most half of the characters, country and area, as the database's `masked_number` does.
 */
export function maskedNumber(number: string): string {
  const shown = Math.min(UNMASKED_DIGITS_MAX, Math.floor(number.length / 2));
  return number.slice(0, shown) + '•'.repeat(number.length - shown);
}

/**
 * Returns the E.164 number for digits dialed within a country (ISO 3166-1 alpha-2); undefined when
 * they are not valid there.
 */
export function dialedWithin(country: string, digits: string): string | undefined {
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country as CountryCode, extract: false });
  return number?.isValid() ? number.number : undefined;
}

/** Returns the digits of an E.164 number after its calling code. */
export function nationalDigitsOf(e164: string): string {
  return parsePhoneNumberFromString(e164)?.nationalNumber ?? e164.replace(/\D/g, '');
}
