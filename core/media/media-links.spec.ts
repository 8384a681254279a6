import { testConfig } from '../testing/test-config.js';
import { newMessageId, publicMediaId } from '../rules/ids.js';
import { MediaLinks } from './media-links.js';

const links = new MediaLinks(testConfig());
const id = newMessageId();
const now = new Date('2026-11-27T10:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const DAYS_7 = 7 * 86_400;

/** Returns the parts that the server reads. */
function partsOf(link: string) {
  const url = new URL(link);
  return { publicId: url.pathname.slice('/m/'.length), query: Object.fromEntries(url.searchParams) };
}

describe('A signed link', () => {
  const { publicId, query } = partsOf(links.to(id, now));

  it('leads to its file for seven days', () => {
    expect(links.to(id, now)).toMatch(/^https:\/\/pennytext\.test\/m\/ME[0-9a-f]{32}\?e=\d{10}&s=[\w-]{43}$/);
    expect(links.read(publicId, query, now)).toEqual({ kind: 'valid', id });
    expect(links.read(publicId, query, later(DAYS_7 - 1))).toEqual({ kind: 'valid', id });
    expect(links.read(publicId, query, later(DAYS_7))).toEqual({ kind: 'ended' });
  });

  it('is of the host for files, if there is one', () => {
    const apart = new MediaLinks(testConfig({ MEDIA_URL: 'https://media.pennytext.test/' }));
    expect(apart.to(id, now)).toMatch(/^https:\/\/media\.pennytext\.test\/m\/ME/);
  });

  it.each([
    ['another file', publicMediaId(newMessageId()), query],
    ['a later end', publicId, { ...query, e: String(Number(query['e']) + 1) }],
    ['another signature', publicId, { ...query, s: `${query['s']?.slice(0, -2)}xx` }],
    ['half a signature', publicId, { ...query, s: query['s']?.slice(0, 20) }],
    ['no signature', publicId, { e: query['e'] }],
    ['several ends', publicId, { ...query, e: [query['e'], query['e']] }],
  ])('does not work with %s', (_what, ofId, changed) => {
    expect(links.read(ofId, changed, now)).toEqual({ kind: 'foreign' });
  });

  it('is refused by an installation with another secret', () => {
    const other = new MediaLinks(testConfig({ API_KEY_HASH_SECRET: Buffer.alloc(32, 7).toString('base64') }));
    expect(other.read(publicId, query, now)).toEqual({ kind: 'foreign' });
  });

  it('works for a machine whose clock is behind', () => {
    const ahead = partsOf(links.to(id, later(10)));
    expect(links.read(ahead.publicId, ahead.query, now)).toEqual({ kind: 'valid', id });
  });
});
