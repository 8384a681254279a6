import { inflateSync } from 'node:zlib';

/**
 * Returns the texts of our own PDFs in drawing order, a line for each line of the page. Reads
 * pdfkit's output: fonts with their own ToUnicode maps, and glyphs in hexadecimal.
 */
export function textsOf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  for (const body of objects.values())
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1];
      if (map !== undefined) fonts.set(name, unicodeMapOf(objects.get(map) ?? ''));
    }
  const lines: { y: string; text: string }[] = [];
  for (const body of objects.values()) {
    if (!body.includes('BT\n')) continue;
    for (const [, block = ''] of body.matchAll(/BT\n([^]*?)ET/g)) {
      const y = / ([\d.-]+) Tm/.exec(block)?.[1] ?? '';
      const map = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(block)?.[1] ?? '');
      const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
      const text = glyphs.map((glyph) => map?.get(glyph) ?? '?').join('');
      const last = lines.at(-1);
      if (last?.y === y) last.text += text;
      else lines.push({ y, text });
    }
  }
  return lines.map(({ text }) => text).join('\n');
}

/** Objects by number, their streams inflated. */
function objectsOf(pdf: Buffer): Map<string, string> {
  const objects = new Map<string, string>();
  const text = pdf.toString('latin1');
  for (const { 1: id = '', 2: body = '' } of text.matchAll(/\n(\d+) 0 obj\n([^]*?)\nendobj/g)) {
    const start = body.indexOf('stream\n');
    if (start < 0) objects.set(id, body);
    else {
      const raw = Buffer.from(body.slice(start + 7, body.lastIndexOf('\nendstream')), 'latin1');
      const isDeflated = body.slice(0, start).includes('/FlateDecode');
      objects.set(
        id,
        body.slice(0, start) + (isDeflated ? inflateSync(raw).toString('latin1') : raw.toString('latin1')),
      );
    }
  }
  return objects;
}

/** Texts by glyph: the entries of a CMap, of single glyphs and of ranges with a list. */
function unicodeMapOf(cmap: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const [, first = '0', , list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/g))
    [...list.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, units = ''], place) => {
      const glyph = (parseInt(first, 16) + place).toString(16).padStart(4, '0');
      const text = Buffer.from(units.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      map.set(glyph, text);
    });
  return map;
}
