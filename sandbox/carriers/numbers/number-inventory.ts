export interface NumberCapabilities {
  readonly voice: boolean;
  readonly sms: boolean;
  readonly mms: boolean;
}

/** A number that can be bought. */
export interface AvailableNumber {
  /** E.164. */
  readonly phoneNumber: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Null for a toll-free number. */
  readonly locality: string | null;
  readonly region: string | null;
  readonly capabilities: NumberCapabilities;
}

export const NUMBER_TYPES = ['Local', 'TollFree'] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];

export interface NumberSearch {
  readonly country: string;
  readonly type: NumberType;
  readonly areaCode: string | null;
  readonly contains: string | null;
}

const NUMBERS_PER_AREA = 200;
const SERVICE_EXCHANGES = /^([2-9]11|555)$/;
/** Steps that are coprime to their ranges, so that the numbers of an area differ. */
const EXCHANGE_STEP = 37;
const LINE_STEP = 7_919;

const areas: Readonly<Record<string, Readonly<Record<string, readonly [locality: string, region: string]>>>> = {
  US: {
    '206': ['Seattle', 'WA'],
    '212': ['New York', 'NY'],
    '303': ['Denver', 'CO'],
    '305': ['Miami', 'FL'],
    '312': ['Chicago', 'IL'],
    '404': ['Atlanta', 'GA'],
    '415': ['San Francisco', 'CA'],
    '512': ['Austin', 'TX'],
    '617': ['Boston', 'MA'],
    '702': ['Las Vegas', 'NV'],
  },
  CA: {
    '403': ['Calgary', 'AB'],
    '416': ['Toronto', 'ON'],
    '514': ['Montréal', 'QC'],
    '604': ['Vancouver', 'BC'],
  },
};
const tollFreeAreas = ['833', '844', '855', '866', '877', '888'];
const letters: Readonly<Record<string, string>> = Object.fromEntries(
  ['ABC2', 'DEF3', 'GHI4', 'JKL5', 'MNO6', 'PQRS7', 'TUV8', 'WXYZ9'].flatMap((key) =>
    Array.from(key.slice(0, -1), (letter) => [letter, key.slice(-1)]),
  ),
);

export function isSold(country: string): boolean {
  return country in areas;
}

const WHOLE_NUMBER = /^[2-9]\d{2}[2-9]\d{6}$/;

/**
 * The numbers that a search finds, always the same in the same order. A search for all digits of a
 * number of a known area finds this number, as any such number can be bought.
 */
export function* inventory({ country, type, areaCode, contains }: NumberSearch): Generator<AvailableNumber> {
  const known =
    type === 'Local' ? (areas[country] ?? {}) : Object.fromEntries(tollFreeAreas.map((code) => [code, null]));
  const pattern = contains === null ? /./ : patternOf(contains);
  const capabilities = { voice: true, sms: true, mms: true };
  if (contains !== null && WHOLE_NUMBER.test(contains) && !sold.has(`+1${contains}`)) {
    const code = contains.slice(0, 3);
    const place = known[code];
    if (place === undefined || (areaCode !== null && areaCode !== code)) return;
    const [locality, region] = place ?? [null, null];
    yield { phoneNumber: `+1${contains}`, country, locality, region, capabilities };
    return;
  }
  for (let index = 0; index < NUMBERS_PER_AREA; index++)
    for (const [code, place] of Object.entries(known)) {
      if (areaCode !== null && areaCode !== code) continue;
      const phoneNumber = numberOf(code, index);
      if (!pattern.test(phoneNumber)) continue;
      const [locality, region] = place ?? [null, null];
      yield { phoneNumber, country, locality, region, capabilities };
    }
}

const sold = new Set(
  [...Object.values(areas).flatMap((codes) => Object.keys(codes)), ...tollFreeAreas].flatMap((code) =>
    Array.from({ length: NUMBERS_PER_AREA }, (_, index) => numberOf(code, index)),
  ),
);

/** Whether the carriers sell a number, to the product or to another customer. */
export function isInInventory(phoneNumber: string): boolean {
  return sold.has(phoneNumber);
}

function numberOf(areaCode: string, index: number): string {
  const step = 2 * index * EXCHANGE_STEP;
  const first = 220 + (step % 700);
  const exchange = SERVICE_EXCHANGES.test(String(first)) ? first + 1 : first;
  return `+1${areaCode}${exchange}${1_000 + ((index * LINE_STEP) % 9_000)}`;
}

/** Twilio's patterns: `*` is a digit, `%` some, `+` and `$` the ends; letters are a keypad's. */
function patternOf(contains: string): RegExp {
  const parts = [...contains.toUpperCase()].map((character) => {
    if (character === '*') return '\\d';
    if (character === '%') return '\\d*';
    if (character === '+') return '^\\+';
    if (character === '$') return '$';
    return letters[character] ?? (/\d/.test(character) ? character : '');
  });
  return new RegExp(parts.join(''));
}
