/** An element of an XML document with its elements and texts in order. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** A document that was read, or the reason why it is malformed. */
export type XmlDocument =
  | { readonly kind: 'read'; readonly root: XmlElement }
  | { readonly kind: 'malformed'; readonly reason: string };

const DEPTH_MAX = 32;
const NAME = /[A-Za-z_][\w.-]*/y;
const SPACE = /[\t\n\r ]*/y;
const TEXT = /[^<]+/y;
const VALUE = /"[^"<]*"|'[^'<]*'/y;
const COMMENT = /<!--(?:(?!--)[^])*-->/y;
const CDATA = /<!\[CDATA\[((?:(?!\]\]>)[^])*)\]\]>/y;
const DECLARATION = /\uFEFF?(?:<\?xml[\t\n\r ][^?]*\?>)?/y;
const REFERENCE = /&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w+);|&/g;
/** Characters that XML 1.0 (section 2.2) allows nowhere. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;
const CODE_POINT_MAX = 0x10ffff;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

class Malformed extends Error {}

/**
 * Parses XML without document types, namespaces and processing instructions, whose absence keeps
 * entities from being defined. Throws nothing: a malformed document is a result.
 */
export function readXml(text: string): XmlDocument {
  try {
    return { kind: 'read', root: new XmlReader(text).document() };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', reason: error.message };
    throw error;
  }
}

class XmlReader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): XmlElement {
    if (FORBIDDEN.test(this.text)) throw new Malformed('a control character');
    this.take(DECLARATION);
    this.skipMisc();
    const root = this.element(0);
    this.skipMisc();
    if (this.at < this.text.length) throw this.unexpected('after the root element');
    return root;
  }

  private element(depth: number): XmlElement {
    if (depth > DEPTH_MAX) throw new Malformed(`more than ${DEPTH_MAX} nested elements`);
    this.expect('<');
    const name = this.name();
    const attributes = this.attributes();
    if (this.skip('/>')) return { name, attributes, children: [] };
    this.expect('>');
    const children: (XmlElement | string)[] = [];
    while (!this.skip('</')) {
      if (this.take(COMMENT) !== null) continue;
      const raw = this.take(CDATA);
      const words = raw === null ? this.take(TEXT) : null;
      if (raw !== null) children.push(raw[1] ?? '');
      else if (words === null) children.push(this.element(depth + 1));
      else if (words[0].includes(']]>')) throw new Malformed('"]]>" in a text');
      else children.push(decoded(words[0]));
    }
    const closing = this.name();
    if (closing !== name) throw new Malformed(`<${name}> is closed by </${closing}>`);
    this.take(SPACE);
    this.expect('>');
    return { name, attributes, children };
  }

  private attributes(): Record<string, string> {
    const found = new Map<string, string>();
    for (;;) {
      const hasSpace = this.take(SPACE)?.[0] !== '';
      if (this.isAt('>') || this.isAt('/>')) return Object.fromEntries(found);
      if (!hasSpace) throw this.unexpected('in a tag');
      const name = this.name();
      if (found.has(name)) throw new Malformed(`the attribute ${name} twice`);
      this.take(SPACE);
      this.expect('=');
      this.take(SPACE);
      const value = this.take(VALUE);
      if (value === null) throw this.unexpected('as a value');
      found.set(name, decoded(value[0].slice(1, -1)));
    }
  }

  private skipMisc(): void {
    do this.take(SPACE);
    while (this.take(COMMENT) !== null);
  }

  private name(): string {
    const name = this.take(NAME);
    if (name === null) throw this.unexpected('as a name');
    return name[0];
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private isAt(words: string): boolean {
    return this.text.startsWith(words, this.at);
  }

  private skip(words: string): boolean {
    const isThere = this.isAt(words);
    if (isThere) this.at += words.length;
    return isThere;
  }

  private expect(words: string): void {
    if (!this.skip(words)) throw this.unexpected(`instead of "${words}"`);
  }

  private unexpected(where: string): Malformed {
    const next = this.text.slice(this.at, this.at + 10);
    return new Malformed(next === '' ? `the end ${where}` : `${JSON.stringify(next)} ${where}`);
  }
}

function decoded(text: string): string {
  return text.replace(REFERENCE, (whole, name: string | undefined) => {
    const known = name === undefined ? undefined : (entities[name] ?? characterOf(name));
    if (known === undefined) throw new Malformed(`the unknown reference ${whole}`);
    return known;
  });
}

function characterOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  const digits = reference.slice(1);
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  if (code > CODE_POINT_MAX || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(code);
  return FORBIDDEN.test(character) ? undefined : character;
}
