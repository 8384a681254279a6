/**
 * Counts the work that functions do on texts, as steps of a backtracking matcher, which V8's
 * regular expressions are too, and as characters that the methods of strings read. It does not
 * measure time, so it is the same on every machine.
 */

type Continue = (position: number) => boolean;
/**
 * Tries to match at a position, and calls the rest of the pattern with each position where it can
 * go on.
 */
type Matcher = (text: string, position: number, rest: Continue) => boolean;

interface Single {
  readonly width: number;
}

let steps = 0;
/** True while the matcher below runs, which uses expressions itself. */
let isPaused = false;

/** Returns the work of a call. */
export function workOf(call: () => unknown): number {
  const restore = [
    counted(RegExp.prototype, 'exec', (expression, [text]) => stepsOf(expression, String(text))),
    counted(String.prototype, 'normalize', (text) => normalizationOf(String(text))),
    ...readers.map((name) => counted(String.prototype, name, (text) => text.length)),
  ];
  steps = 0;
  try {
    call();
  } finally {
    for (const put of restore) put();
  }
  return steps;
}

/** Methods that read a text to its end, in one pass. */
const readers = ['indexOf', 'lastIndexOf', 'includes', 'replaceAll', 'toLowerCase', 'toUpperCase', 'trim'] as const;

/**
 * Counts the calls of a method by their work; returns a function that ends the counting. All
 * methods of expressions call `exec`.
 */
function counted<Subject extends object>(
  prototype: Subject,
  name: string,
  work: (subject: Subject, given: readonly unknown[]) => number,
): () => void {
  const original: unknown = Reflect.get(prototype, name);
  if (typeof original !== 'function') throw new Error(`There is no method ${name}`);
  Reflect.set(prototype, name, function method(this: Subject, ...given: unknown[]): unknown {
    if (!isPaused) {
      const before = steps;
      isPaused = true;
      const added = work(this, given);
      isPaused = false;
      steps = before + added;
    }
    return Reflect.apply(original, this, given);
  });
  return () => Reflect.set(prototype, name, original);
}

/**
 * Sorting a run of combining marks is quadratic in its length; the joiner that ends a run has no
 * combining class.
 */
function normalizationOf(text: string): number {
  let [run, sum] = [0, 0];
  for (const character of text) {
    run = character !== '\u034f' && singleTest('\\p{M}', 'u')(character) ? run + 1 : 0;
    sum += 1 + run;
  }
  return sum;
}

const compiled = new Map<string, Matcher>();

/**
 * Steps that a backtracking matcher takes to find the first match, or to find that there is none.
 */
function stepsOf(expression: RegExp, text: string): number {
  const { source, flags, global, sticky, unicode, lastIndex } = expression;
  const name = `${flags}/${source}`;
  let matcher = compiled.get(name);
  if (!matcher) compiled.set(name, (matcher = new Parser(source, flags).parse()));
  const before = steps;
  for (let start = global || sticky ? lastIndex : 0; start <= text.length;) {
    steps += 1;
    if (matcher(text, start, () => true) || sticky) break;
    // An anchored pattern is not tried elsewhere.
    if (source.startsWith('^') && !flags.includes('m') && !source.includes('|')) break;
    start += unicode && (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  }
  return steps - before;
}

const tests = new Map<string, (character: string) => boolean>();

/** Returns a test of one character against a class, an escape or a literal. */
function singleTest(source: string, flags: string): (character: string) => boolean {
  const name = `${flags}/${source}`;
  const known = tests.get(name);
  if (known) return known;
  const expression = new RegExp(`^(?:${source})$`, [...flags].filter((flag) => 'ius'.includes(flag)).join(''));
  const results = new Map<string, boolean>();
  const test = (character: string) => {
    let result = results.get(character);
    if (result === undefined) results.set(character, (result = expression.test(character)));
    return result;
  };
  tests.set(name, test);
  return test;
}

const ESCAPE = /^(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^1-9k])/u;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/;

/**
 * Parses the syntax of our patterns and our libraries' patterns; throws on other syntax, such as
 * references to groups.
 */
class Parser {
  private position = 0;

  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  parse(): Matcher {
    const whole = this.alternatives();
    if (this.position < this.source.length) throw this.unsupported();
    return whole;
  }

  private alternatives(): Matcher {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    const [only] = options;
    if (options.length === 1 && only) return only;
    return (text, position, rest) => options.some((option) => option(text, position, rest));
  }

  private sequence(): Matcher {
    const parts: Matcher[] = [];
    while (this.position < this.source.length && !'|)'.includes(this.source.charAt(this.position)))
      parts.push(this.term());
    return (text, position, rest) => {
      const from = (index: number, at: number): boolean => {
        const part = parts[index];
        return part ? part(text, at, (next) => from(index + 1, next)) : rest(at);
      };
      return from(0, position);
    };
  }

  private term(): Matcher {
    if (this.take('(')) return this.quantified(this.group());
    if (this.take('^'))
      return this.assertion((text, at) => at === 0 || (this.flags.includes('m') && text[at - 1] === '\n'));
    if (this.take('$'))
      return this.assertion((text, at) => at === text.length || (this.flags.includes('m') && text[at] === '\n'));
    if (this.take('\\b')) return this.assertion((text, at) => isWord(text, at - 1) !== isWord(text, at));
    if (this.take('\\B')) return this.assertion((text, at) => isWord(text, at - 1) === isWord(text, at));
    return this.quantified(this.single());
  }

  private group(): Matcher {
    const look = ['?=', '?!', '?<=', '?<!'].find((opening) => this.take(opening));
    if (look === undefined && !this.take('?:')) this.name();
    const body = this.alternatives();
    if (!this.take(')')) throw this.unsupported();
    if (look === undefined) return body;
    const isNegative = look.endsWith('!');
    const isFound: (text: string, at: number) => boolean = look.includes('<')
      ? (text, at) => startsBefore(at).some((start) => body(text, start, (end) => end === at))
      : (text, at) => body(text, at, () => true);
    return this.assertion((text, at) => isFound(text, at) !== isNegative);
  }

  private name(): void {
    if (!this.take('?<')) return;
    this.position = this.source.indexOf('>', this.position) + 1;
  }

  private assertion(holds: (text: string, at: number) => boolean): Matcher {
    return (text, position, rest) => {
      steps += 1;
      return holds(text, position) && rest(position);
    };
  }

  private single(): Matcher & Single {
    const start = this.position;
    if (this.take('[')) {
      while (!this.take(']')) this.position += this.source.startsWith('\\', this.position) ? 2 : 1;
    } else if (this.take('\\')) {
      const [escape = ''] = ESCAPE.exec(this.source.slice(this.position)) ?? [];
      if (escape === '') throw this.unsupported();
      this.position += escape.length;
    } else {
      this.position += this.flags.includes('u') && (this.source.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    }
    const matches = singleTest(this.source.slice(start, this.position), this.flags);
    const isUnicode = this.flags.includes('u');
    const matcher: Matcher = (text, position, rest) => {
      steps += 1;
      const width = isUnicode && (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
      if (position >= text.length || !matches(text.slice(position, position + width))) return false;
      return rest(position + width);
    };
    return Object.assign(matcher, { width: 1 });
  }

  private quantified(body: Matcher): Matcher {
    const [whole, symbol, least, comma, most] = QUANTIFIER.exec(this.source.slice(this.position)) ?? [];
    if (whole === undefined) return body;
    this.position += whole.length;
    const isLazy = this.take('?');
    const min = symbol === undefined ? Number(least) : symbol === '+' ? 1 : 0;
    const limit = symbol === undefined ? (comma ? most : least) : symbol === '?' ? '1' : '';
    const max = limit ? Number(limit) : Infinity;
    return 'width' in body && !isLazy ? repeatedCharacter(body, min, max) : repeated(body, min, max, isLazy);
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  private unsupported(): Error {
    return new Error(
      `The pattern has a part that is not counted: ${this.source.slice(this.position, this.position + 20)}`,
    );
  }
}

/** Matches without recursion, so that long runs need no stack. */
function repeatedCharacter(body: Matcher, min: number, max: number): Matcher {
  return (text, position, rest) => {
    const ends = [position];
    for (let end: number | undefined = position; end !== undefined && ends.length <= max;) {
      const at = end;
      end = undefined;
      body(text, at, (next) => {
        end = next;
        return true;
      });
      if (end !== undefined) ends.push(end);
    }
    for (let count = ends.length - 1; count >= min; count -= 1) {
      steps += 1;
      if (rest(ends[count] ?? position)) return true;
    }
    return false;
  };
}

function repeated(body: Matcher, min: number, max: number, isLazy: boolean): Matcher {
  return (text, position, rest) => {
    const from = (count: number, at: number): boolean => {
      steps += 1;
      const again = () => count < max && body(text, at, (next) => (next > at || count < min) && from(count + 1, next));
      if (count < min) return again();
      return isLazy ? rest(at) || again() : again() || rest(at);
    };
    return from(0, position);
  };
}

/** Positions where a pattern that looks back may start: ours look back at a few characters. */
function startsBefore(position: number): number[] {
  return Array.from({ length: Math.min(position, 16) + 1 }, (_start, back) => position - back);
}

function isWord(text: string, at: number): boolean {
  return singleTest('\\w', '')(text.charAt(at));
}
