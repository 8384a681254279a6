import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type bidiModule from 'bidi-js';
import { create, type Font } from 'fontkit';
import PdfDocument from 'pdfkit';
import type { InvoiceDocument } from './invoice-document.js';
import { mark } from './invoice-page.js';
import { unpackedFont } from './woff.js';

// US Letter, in points of 1/72 inch.
const [pageWidth, pageHeight, margin] = [612, 792, 56];
const right = pageWidth - margin;
const bottom = pageHeight - margin - 24;
const lineHeight = 1.45;

const ink = '#1c1917';
const quiet = '#6b625a';
const line = '#e7e1d8';
const copper = '#a8481c';

/** Stands for a character that no font has. */
const REPLACEMENT = '?';
const UNSHOWN =
  `Characters that this file cannot show are replaced by ${REPLACEMENT}. ` +
  'The page of this document in the dashboard shows them.';

type Weight = 'regular' | 'bold';

/** Subsets of the fonts, most frequent first. */
const subsets = [
  'inter/files/inter-latin',
  'inter/files/inter-latin-ext',
  'inter/files/inter-cyrillic',
  'inter/files/inter-cyrillic-ext',
  'inter/files/inter-greek',
  'inter/files/inter-greek-ext',
  'inter/files/inter-vietnamese',
  'noto-sans-arabic/files/noto-sans-arabic-arabic',
  'noto-sans-hebrew/files/noto-sans-hebrew-hebrew',
];
const numbers = { regular: 400, bold: 700 } as const;

interface Subset {
  readonly name: string;
  readonly file: Buffer;
  readonly font: Font;
}

const require = createRequire(import.meta.url);
// The package's types describe its ES module, which Node does not load.
const bidi = (require('bidi-js') as typeof bidiModule.default)();
const loaded = new Map<Weight, readonly Subset[]>();

function subsetsOf(weight: Weight): readonly Subset[] {
  const known = loaded.get(weight);
  if (known) return known;
  const read = subsets.map((path) => {
    const file = unpackedFont(readFileSync(require.resolve(`@fontsource/${path}-${numbers[weight]}-normal.woff`)));
    const font = create(file);
    if (!('hasGlyphForCodePoint' in font)) throw new Error(`${path} is a collection of fonts`);
    return { name: `${path} ${weight}`, file, font };
  });
  loaded.set(weight, read);
  return read;
}

/** Part of a line in one font and direction. */
interface Run {
  readonly text: string;
  readonly subset: string;
  readonly level: number;
}

interface Style {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
}

/**
 * Writes an invoice or credit note as a PDF. Names in Latin, Greek, Cyrillic, Arabic and Hebrew
 * script are set in embedded fonts, each line in its own direction; other characters are replaced,
 * with a note on the page.
 */
export async function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  const sheet = new Sheet(document.title);
  sheet.letterhead(document.from[0] ?? '', document.title);
  sheet.facts(document.facts);
  sheet.sides([
    ['From', document.from],
    ['To', document.to],
  ]);
  sheet.row('Description', 'Amount', { size: 10, weight: 'bold', color: quiet });
  sheet.row(document.item.what, document.item.amount, { size: 11 });
  sheet.row('Total in US dollars', document.total, { size: 13, weight: 'bold' });
  sheet.paragraphs(document.state, { size: 11 });
  if (document.note !== null) sheet.paragraphs([document.note], { size: 9, color: quiet });
  return sheet.finish();
}

/** A PDF that is written from top to bottom. */
class Sheet {
  private readonly pdf: PDFKit.PDFDocument;
  private readonly chunks: Buffer[] = [];
  private readonly registered = new Set<string>();
  private readonly ended: Promise<void>;
  private y = margin;
  private lacksGlyphs = false;

  constructor(title: string) {
    // Without an embedded font pdfkit reads files of Helvetica.
    const { file } = this.first('regular');
    this.pdf = new PdfDocument({
      size: [pageWidth, pageHeight],
      margin: 0,
      bufferPages: true,
      lang: 'en-US',
      displayTitle: true,
      info: { Title: title, Producer: 'Pennytext', Creator: 'Pennytext' },
      // @types/pdfkit does not know that a font may be a file's content.
      ...({ font: file } satisfies { font: Buffer } as object),
    });
    this.pdf.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.ended = new Promise((resolve, reject) => {
      this.pdf.on('end', resolve);
      this.pdf.on('error', reject);
    });
  }

  letterhead(seller: string, title: string): void {
    const { pdf } = this;
    pdf.rect(0, 0, pageWidth, 6).fill(copper);
    pdf
      .save()
      .translate(margin, this.y)
      .scale(40 / mark.size);
    pdf.path(mark.rim).fill(copper);
    pdf.lineWidth(mark.coin.width).circle(mark.coin.x, mark.coin.y, mark.coin.radius).stroke('#ffffff');
    pdf.lineWidth(mark.letter.width).lineCap('round').lineJoin('round').path(mark.letter.path).stroke('#ffffff');
    pdf.restore();
    this.y += 10;
    this.block([seller], margin + 54, right - margin - 54, { size: 15, weight: 'bold' });
    this.y = Math.max(this.y, margin + 40) + 28;
    this.block([title], margin, right - margin, { size: 22, weight: 'bold' });
    this.y += 10;
  }

  facts(facts: InvoiceDocument['facts']): void {
    for (const [term, value] of facts) {
      const top = this.y;
      this.block([term], margin, 130, { size: 10, color: quiet });
      this.y = top;
      this.block([value], margin + 140, right - margin - 140, { size: 10 });
    }
    this.y += 18;
  }

  sides(sides: readonly (readonly [title: string, lines: readonly string[]])[]): void {
    const width = (right - margin - 24) / sides.length;
    const top = this.y;
    let lowest = top;
    sides.forEach(([title, [name = '', ...lines]], place) => {
      const x = margin + place * (width + 24);
      this.y = top;
      this.block([title], x, width, { size: 10, weight: 'bold', color: quiet });
      this.block([name], x, width, { size: 11, weight: 'bold' });
      this.block(lines, x, width, { size: 11 });
      lowest = Math.max(lowest, this.y);
    });
    this.y = lowest + 24;
  }

  row(what: string, amount: string, style: Style): void {
    this.breakBefore(style.size * 3);
    const top = this.y;
    const amountWidth = this.widthOf(this.runsOf(amount, style.weight), style.size);
    this.drawLine(amount, right - amountWidth, top, style);
    this.block([what], margin, right - margin - amountWidth - 24, style);
    this.y += 6;
    this.pdf.lineWidth(0.75).moveTo(margin, this.y).lineTo(right, this.y).stroke(line);
    this.y += 10;
  }

  paragraphs(texts: readonly string[], style: Style): void {
    this.y += 8;
    this.block(texts, margin, right - margin, style);
  }

  async finish(): Promise<Buffer> {
    if (this.lacksGlyphs) this.paragraphs([UNSHOWN], { size: 9, color: quiet });
    const { start, count } = this.pdf.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.pdf.switchToPage(page);
      const text = `Page ${page - start + 1} of ${count}`;
      const width = this.widthOf(this.runsOf(text), 9);
      this.drawLine(text, right - width, pageHeight - margin, { size: 9, color: quiet });
    }
    this.pdf.end();
    await this.ended;
    return Buffer.concat(this.chunks);
  }

  /** Draws texts below each other, wrapped; right-to-left texts end at the right. */
  private block(texts: readonly string[], x: number, width: number, style: Style): void {
    for (const text of texts)
      for (const wrapped of this.wrapped(text, width, style)) {
        this.breakBefore(style.size * lineHeight);
        const isRightToLeft = bidi.getEmbeddingLevels(wrapped).paragraphs[0]?.level === 1;
        const free = isRightToLeft ? width - this.widthOf(this.runsOf(wrapped, style.weight), style.size) : 0;
        this.drawLine(wrapped, x + free, this.y, style);
        this.y += style.size * lineHeight;
      }
  }

  private breakBefore(height: number): void {
    if (this.y + height <= bottom) return;
    this.pdf.addPage();
    this.y = margin;
  }

  /** Lines that fit, broken between words, and within words that are too long for a line. */
  private wrapped(text: string, width: number, { size, weight }: Style): string[] {
    const widthOf = (part: string) => [...part].reduce((sum, one) => sum + size * advanceOf(one, weight), 0);
    const lines: string[] = [];
    let [current, taken] = ['', 0];
    const end = () => {
      if (current !== '') lines.push(current.trimEnd());
      [current, taken] = ['', 0];
    };
    for (const word of text.split(/(?<=\s)/u)) {
      if (taken + widthOf(word.trimEnd()) > width) end();
      for (const character of word) {
        const advance = widthOf(character);
        if (taken + advance > width && !isSpace(character)) end();
        current += character;
        taken += advance;
      }
    }
    end();
    return lines;
  }

  private drawLine(text: string, x: number, y: number, { size, weight, color = ink }: Style): void {
    let at = x;
    for (const run of inVisualOrder(this.runsOf(text, weight))) {
      this.useFont(run, size);
      this.pdf.fillColor(color).text(run.text, at, y + size, { lineBreak: false, baseline: 'alphabetic' });
      at += this.pdf.widthOfString(run.text);
    }
  }

  private widthOf(runs: readonly Run[], size: number): number {
    return runs.reduce((sum, run) => {
      this.useFont(run, size);
      return sum + this.pdf.widthOfString(run.text);
    }, 0);
  }

  private useFont({ subset }: Run, size: number): void {
    if (!this.registered.has(subset)) {
      const found = (['regular', 'bold'] as const).flatMap(subsetsOf).find(({ name }) => name === subset);
      if (!found) throw new Error(`The font ${subset} is not loaded`);
      this.pdf.registerFont(subset, found.file);
      this.registered.add(subset);
    }
    this.pdf.font(subset, size);
  }

  private first(weight: Weight): Subset {
    const [subset] = subsetsOf(weight);
    if (!subset) throw new Error('There are no fonts');
    return subset;
  }

  /** Words and spaces in logical order, each in one font and direction. */
  private runsOf(text: string, weight: Weight = 'regular'): Run[] {
    const { levels } = bidi.getEmbeddingLevels(text);
    const runs: Run[] = [];
    let index = 0;
    for (const character of text) {
      const level = levels[index] ?? 0;
      index += character.length;
      const found = subsetWith(character, weight);
      this.lacksGlyphs ||= found === undefined && !isInvisible(character);
      const shown = found ? character : isInvisible(character) ? '' : REPLACEMENT;
      const subset = (found ?? this.first(weight)).name;
      const last = runs.at(-1);
      const continues = last && last.subset === subset && last.level === level && isSpace(last.text) === isSpace(shown);
      if (continues) runs[runs.length - 1] = { ...last, text: last.text + shown };
      else if (shown !== '') runs.push({ text: shown, subset, level });
    }
    return runs;
  }
}

/** The first font that has the character. */
function subsetWith(character: string, weight: Weight): Subset | undefined {
  return subsetsOf(weight).find(({ font }) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

/** Width of an isolated character in a font of size 1; joined letters are hardly wider. */
function advanceOf(character: string, weight: Weight = 'regular'): number {
  const known = (subsetWith(character, weight) ?? subsetWith(REPLACEMENT, weight))?.font;
  if (!known || isInvisible(character)) return 0;
  return known.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth / known.unitsPerEm;
}

function isSpace(text: string): boolean {
  return /^\s/u.test(text);
}

/** Joiners, marks of direction and variation selectors. */
function isInvisible(character: string): boolean {
  return /[\p{Cf}\p{Variation_Selector}]/u.test(character);
}

/** Reorders runs by their levels (Unicode Standard Annex 9, rule L2). */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) {
        ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
        start = end;
      }
    }
  return ordered;
}
