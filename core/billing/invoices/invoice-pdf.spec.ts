import type { InvoiceDocument } from './invoice-document.js';
import { invoicePdf } from './invoice-pdf.js';
import { textsOf } from '../testing/pdf-text.js';

const document: InvoiceDocument = {
  title: 'Invoice 000123',
  facts: [
    ['Number', '000123'],
    ['Date of issue', 'November 24, 2026'],
    ['Payment method', 'Stripe Payment'],
  ],
  from: ['Penny LLC', '1 Main St', 'Springfield', 'Tax ID: US 98-7654321'],
  to: ['Ada & Sons', '2 Side St', 'London', 'ada@example.com'],
  item: { what: '250 SMS credits', amount: '$10.00' },
  total: '$10.00',
  state: ['Paid in full.'],
  note: 'Reverse charge.',
};

describe('invoicePdf', () => {
  it('has everything that the invoice shows, and the number of its page', async () => {
    const pdf = await invoicePdf(document);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const text = textsOf(pdf);
    for (const part of [
      'Invoice 000123',
      'November 24, 2026',
      'Penny LLC',
      'Tax ID: US 98-7654321',
      'Ada & Sons',
      'ada@example.com',
      '250 SMS credits',
      '$10.00',
      'Paid in full.',
      'Reverse charge.',
      'Page 1 of 1',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('replaced by');
    expect(pdf.length).toBeLessThan(60_000);
  });

  it.each(['Zażółć gęślą jaźń', 'Ελλάδα ΑΕ', 'ООО Ромашка', 'Công ty Nguyễn'])('shows %s', async (name) => {
    const text = textsOf(await invoicePdf({ ...document, to: [name] }));
    expect(text).toContain(name);
    expect(text).not.toContain('replaced by');
  });

  it.each([
    ['words from right to left', 'שלום עולם', 'םלוע םולש'],
    ['numbers as they are', 'רחוב 25', '25 בוחר'],
  ])('sets Hebrew %s', async (_what, name, shown) => {
    expect(textsOf(await invoicePdf({ ...document, to: [name] }))).toContain(shown);
  });

  it('joins Arabic letters', async () => {
    const [joined, apart] = await Promise.all(
      ['شركة', 'ش ر ك ة'].map(async (name) => textsOf(await invoicePdf({ ...document, to: [name] }))),
    );
    expect(joined).not.toContain('replaced by');
    expect(joined).not.toBe(apart);
  });

  it('replaces what it has no letters for, and tells so', async () => {
    const text = textsOf(await invoicePdf({ ...document, to: ['Ada 🚀 日本'] }));
    expect(text).toContain('Ada ? ??');
    expect(text).toContain('Characters that this file cannot show are replaced by ?.');
  });

  it('wraps long names and addresses, and numbers more pages than one', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(5);
    const text = textsOf(await invoicePdf({ ...document, to: Array.from({ length: 40 }, () => long) }));
    expect(text.replaceAll('\n', '')).toContain(long);
    expect(text).toMatch(/Page 1 of (\d+)[^]*Page \1 of \1/);
  });
});
