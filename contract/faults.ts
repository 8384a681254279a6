import type { core } from 'zod';

/** Names of expected types for people; zod's own names are those of programs. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

/** Rule of a text, by the format of its schema. */
const formats: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be an id in the form of a UUID',
  guid: 'must be an id in the form of a UUID',
  date: 'must be a day, YYYY-MM-DD',
  datetime: 'must be a date and time with an offset, YYYY-MM-DDThh:mm:ssZ',
};

const NAMES_SHOWN_MAX = 20;
const NAME_CHARACTERS_MAX = 80;

/**
 * Describes in plain words what is wrong with one field, to be read after its name: 'must be text, not a
 * list'. Zod calls it for every fault whose schema has no text of its own:
 * `schema.safeParse(value, { error: faultText })`. It never repeats what was sent, except for names
 * of fields.
 */
export function faultText(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeFault([issue.expected], issue.input);
    case 'invalid_union':
      return unionFault(issue);
    case 'invalid_value':
      return `must be ${listOf(
        issue.values.map((value) => JSON.stringify(String(value))),
        'or',
      )}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong form';
    case 'too_small':
      return sizeFault(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'above' : 'from');
    case 'too_big':
      return sizeFault(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'below' : 'to');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has no field ${listOf(
        issue.keys.map((name) => `"${shownName(name)}"`),
        'or',
      )}`;
    case 'invalid_key':
      return 'has a field whose name is not allowed';
    case 'invalid_element':
      return 'has an item that is not allowed';
    case 'custom':
      return 'is not valid';
  }
}

function typeFault(expected: readonly string[], input: unknown): string {
  if (input === undefined) return 'is missing';
  const wanted = listOf([...new Set(expected.map((kind) => kinds[kind] ?? 'another kind of value'))], 'or');
  if (Array.isArray(input) && expected.includes('string')) return `must be ${wanted}, not a list: send it once`;
  const isNoNumber = Number.isNaN(input);
  if (isNoNumber || (typeof input === 'number' && expected.includes('int'))) return `must be ${wanted}`;
  const isUnquoted = expected.length === 1 && expected[0] === 'string' && typeof input === 'number';
  const given = kinds[kindOf(input)] ?? 'what was sent';
  return isUnquoted ? 'must be text in quotation marks, not a number' : `must be ${wanted}, not ${given}`;
}

function unionFault(issue: core.$ZodRawIssue<core.$ZodIssueInvalidUnion>): string {
  const expected = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [first.expected] : []));
  return expected.length === issue.errors.length && expected.length > 0
    ? typeFault(expected, issue.input)
    : 'is not valid';
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return typeof input;
}

type Bound = 'from' | 'to' | 'above' | 'below';

function sizeFault(origin: string, bound: number, kind: Bound): string {
  const count = bound.toLocaleString('en-US');
  const unit = origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'item' : undefined;
  if (unit === undefined) {
    const words = { from: 'at least', to: 'at most', above: 'more than', below: 'less than' } as const;
    return `must be ${words[kind]} ${count}`;
  }
  if (kind === 'from' && bound === 1) return origin === 'string' ? 'must not be empty' : 'must have at least one item';
  const units = bound === 1 ? unit : `${unit}s`;
  return kind === 'from' || kind === 'above'
    ? `must have at least ${count} ${units}`
    : `may have at most ${count} ${units}`;
}

/** Returns 'a, b or c'. */
function listOf(names: readonly string[], word: 'or'): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX);
  if (names.length > shown.length) return `${shown.join(', ')} ${word} another`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${word} ${shown.at(-1)}`;
}

/** A caller chooses the name. */
function shownName(name: string): string {
  return name.slice(0, NAME_CHARACTERS_MAX).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
