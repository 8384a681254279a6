import fc from 'fast-check';
import { EVENT_IDS_MAX, readEvents, writeEvents, type AccountEvent } from './event-text.js';

const ids = fc.uniqueArray(fc.uuid(), { maxLength: EVENT_IDS_MAX });
const hints = fc.array(fc.record({ accountId: fc.uuid(), sent: ids, received: ids, many: fc.boolean() }), {
  maxLength: 12,
});

describe('events as text', () => {
  it('are parsed as they were written, in texts within the limit of a Postgres notification', () => {
    fc.assert(
      fc.property(hints, fc.boolean(), (written, missed) => {
        const texts = writeEvents({ hints: written, missed });
        expect(texts.every((text) => Buffer.byteLength(text) < 8_000)).toBe(true);
        const read = texts.map((text) => readEvents(text));
        expect(read.flatMap((news) => news?.hints ?? [])).toEqual(written.map(shortened));
        expect(read.filter((news) => news?.missed)).toHaveLength(missed ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });

  it('are no text without events', () => {
    expect(writeEvents({ hints: [], missed: false })).toEqual([]);
  });

  it.each(['', 'nonsense', '{}', '[]', '{"hints":[{"accountId":"x"}],"missed":false}'])(
    'that another version wrote, %j, is not understood',
    (text) => {
      expect(readEvents(text)).toBeUndefined();
    },
  );
});

/** Both lists full do not fit one text: the pages read their views instead. */
function shortened(hint: AccountEvent): AccountEvent {
  const fits = JSON.stringify(hint).length < 7_900 - '{"hints":[],"missed":false}'.length + 1;
  return fits ? hint : { ...hint, sent: [], received: [], many: true };
}
