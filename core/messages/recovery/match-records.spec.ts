import fc from 'fast-check';
import type { CarrierRecord } from '../../carriers/carrier.js';
import { canMatch, matchRecords, recordsSince, type UnsettledMessage } from './match-records.js';

const START_MS = Date.UTC(2026, 10, 22, 12);
const SERVICE = `MG${'1'.repeat(32)}`;
const at = (seconds: number) => new Date(START_MS + seconds * 1_000);

const message = (id: string, changes: Partial<UnsettledMessage> = {}): UnsettledMessage => ({
  id,
  sender: '+15005550006',
  text: 'Hello',
  files: 0,
  waitsSince: at(0),
  claimedAt: at(0),
  attempts: 1,
  ...changes,
});
const record = (carrierId: string, changes: Partial<CarrierRecord> = {}): CarrierRecord => ({
  carrierId,
  sender: '+15005550006',
  chosenNumber: null,
  body: 'Hello',
  createdAt: at(1),
  status: 'sent',
  carrierError: null,
  ...changes,
});
const idsOf = (matches: Map<string, CarrierRecord>) =>
  Object.fromEntries([...matches].map(([id, { carrierId }]) => [id, carrierId]));

describe('canMatch', () => {
  it('goes by our id alone where the record has it', () => {
    const named = (messageId: string) =>
      record('r1', { messageId, sender: '+19999999999', body: null, createdAt: at(-3_600) });
    expect(canMatch(message('m1'), named('m1'))).toBe(true);
    expect(canMatch(message('m1'), record('r1', { messageId: 'm2' }))).toBe(false);
  });

  it('accepts no record with neither our id nor a text', () => {
    expect(canMatch(message('m1', { text: '' }), record('r1', { body: null }))).toBe(false);
  });

  it.each([
    ['the number', {}, {}],
    ['the messaging service', { sender: SERVICE }, { sender: SERVICE, chosenNumber: '+15005550009' }],
    [
      'the number that its service chose',
      { sender: '+15005550009' },
      { sender: SERVICE, chosenNumber: '+15005550009' },
    ],
  ])('accepts a record of %s', (_title, sent, carried) => {
    expect(canMatch(message('a', sent), record('r', carried))).toBe(true);
  });

  it.each([
    ['another number', { sender: '+15005550007' }],
    ['another service', { sender: SERVICE }],
    ['another text', { body: 'Other' }],
    ['an earlier time than clocks explain', { createdAt: at(-61) }],
  ])('rejects a record of %s', (_title, carried) => {
    expect(canMatch(message('a'), record('r', carried))).toBe(false);
  });

  it('reaches back to the acceptance when there was an earlier claim', () => {
    const again = message('a', { claimedAt: at(600), attempts: 2 });
    expect(recordsSince(again)).toEqual(at(-60));
    expect(canMatch(again, record('r'))).toBe(true);
    expect(canMatch({ ...again, attempts: 1 }, record('r'))).toBe(false);
  });
});

describe('a message with files', () => {
  const picture = (id: string, changes: Partial<UnsettledMessage> = {}) => message(id, { files: 2, ...changes });

  it.each([
    ['as many files', picture('m'), { files: 2 }, true],
    ['files that the carrier has not fetched yet', picture('m'), { files: 0 }, true],
    ['records that do not count files', picture('m'), {}, true],
    ['another number of files', picture('m'), { files: 1 }, false],
    ['files, for a message without any', message('m'), { files: 1 }, false],
    ['no text, for a message without any', picture('m', { text: '' }), { body: '', files: 2 }, true],
    ['a text, for a message without any', picture('m', { text: '' }), { body: 'Hello', files: 2 }, false],
  ])('matches records by %s', (_title, sent, carried, expected) => {
    expect(canMatch(sent, record('r', carried))).toBe(expected);
  });

  it('leaves the record without files to the text, and takes that with files', () => {
    const records = [record('text', { files: 0 }), record('picture', { files: 2, createdAt: at(2) })];
    const expected = { a: 'picture', b: 'text' };
    expect(idsOf(matchRecords([picture('a'), message('b')], records))).toEqual(expected);
    expect(idsOf(matchRecords([message('b'), picture('a')], records.toReversed()))).toEqual(expected);
  });
});

describe('matchRecords', () => {
  it('gives an equal text precedence over an altered one', () => {
    const [plain, typographic] = [message('a', { text: '"Hi"' }), message('b', { text: '“Hi”' })];
    expect(idsOf(matchRecords([plain, typographic], [record('r', { body: '"Hi"' })]))).toEqual({ a: 'r' });
    const both = [record('r', { body: '"Hi"' }), record('s', { body: '"Hi"', createdAt: at(0) })];
    expect(idsOf(matchRecords([typographic, plain], both))).toEqual({ a: 's', b: 'r' });
  });

  it('gives each of several equal messages the record closest in time', () => {
    const messages = [message('a'), message('b', { claimedAt: at(20) }), message('c', { claimedAt: at(40) })];
    const records = [record('t', { createdAt: at(41) }), record('r', { createdAt: at(1) })];
    expect(idsOf(matchRecords(messages, records))).toEqual({ a: 'r', c: 't' });
  });

  it('matches each message and each record at most once, as many as possible among equals, in any order', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(seconds, seconds, (claims, records) => {
        const messages = claims.map((second, n) => message(`m${n}`, { claimedAt: at(second) }));
        const listed = records.map((second, n) => record(`r${n}`, { createdAt: at(second) }));
        const matches = matchRecords(messages, listed);
        expect(matches.size).toBe(Math.min(messages.length, listed.length));
        expect(new Set([...matches.values()].map(({ carrierId }) => carrierId)).size).toBe(matches.size);
        expect(idsOf(matchRecords([...messages].reverse(), [...listed].reverse()))).toEqual(idsOf(matches));
      }),
    );
  });
});
