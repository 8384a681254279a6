import { limits } from '#contract/limits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { defaultRegions } from '../../rules/regions.js';
import { priceOfText } from '../send/price.js';
import { filledIn, partsOf, pricedItems } from './bulk-items.js';

const priceBulk = (body: Parameters<typeof pricedItems>[0]) =>
  pricedItems(body, {
    needsText: true,
    priceOf: (to, text) => {
      const message = priceOfText(defaultRegions, to, text);
      return message instanceof DomainError ? message : { as: 'sms', message, text: message.body };
    },
  });

const filled = (template: string, fields: Record<string, unknown>) => {
  const text = filledIn(partsOf(template), fields);
  return text instanceof DomainError ? text.code : text;
};

describe('the template of a bulk', () => {
  it.each([
    ['Hi {{name}}!', { name: 'Ada' }, 'Hi Ada!'],
    ['{{ a }}{{b}}', { a: 'x', b: 2 }, 'x2'],
    ['{{a}} {{{a}}} {a}', { a: 'x' }, 'x {x} {a}'],
    ['no variable', {}, 'no variable'],
    ['{{a}}', { a: '{{b}}', b: 'x' }, '{{b}}'],
    ['{{größe_1-a}}', { 'größe_1-a': 5 }, '5'],
    ['{{a}}', {}, 'variable_missing'],
    ['{{toString}}', {}, 'variable_missing'],
    ['{{a}}', { a: null }, 'variable_missing'],
  ])('%s with %j is %j', (template, fields, text) => {
    expect(filled(template, fields)).toBe(text);
  });

  it('is filled in no further than the longest text that is looked at', () => {
    let reads = 0;
    const fields = Object.defineProperty({}, 'a', {
      get: () => {
        reads += 1;
        return 'x'.repeat(5_000);
      },
    });
    expect(filled('{{a}}'.repeat(1_000), fields)).toBe('message_too_long');
    expect(reads).toBe(Math.ceil((limits.textCharactersMax + 1) / 5_000));
  });

  it('names few of the variables that an item lacks, and no more of a long reason', async () => {
    const names = Array.from({ length: 1_000 }, (_none, n) => `v${n}`);
    const template = names.map((name) => `{{${name}}}`).join('');
    const { rejected } = await priceBulk({ message: template, recipients: [{ to: '+14155552671' }] });
    expect(rejected[0]?.detail).toBe('The recipient has no text or number for {{v0}}, {{v1}}, {{v2}}, {{v3}}, {{v4}}.');
    const long = await priceBulk({ message: `{{${'n'.repeat(9_000)}}}`, recipients: [{ to: '1'.repeat(999) }] });
    expect(JSON.stringify(long.rejected).length).toBeLessThan(400);
  });

  it('is filled in when its item is priced, not before', async () => {
    const seen: number[] = [];
    const recipients = Array.from({ length: 500 }, (_none, n) =>
      Object.defineProperty({ to: `+1415${5_550_000 + n}` }, 'name', { get: () => seen.push(n) && 'Ada' }),
    );
    const priced = priceBulk({ message: 'Hi {{name}}', recipients });
    expect(seen.length).toBeLessThan(recipients.length);
    expect((await priced).items).toHaveLength(recipients.length);
    expect(seen).toEqual(recipients.map((_recipient, n) => n));
  });

  it('gives other requests a turn between long texts', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const messages = Array.from({ length: 100 }, (_none, n) => ({
      to: `+1415${5_550_000 + n}`,
      message: 'x'.repeat(1_500),
    }));
    await priceBulk({ messages });
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
