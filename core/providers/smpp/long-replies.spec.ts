import fc from 'fast-check';
import { type LongReplySegment, placeSegments } from './long-replies.js';

function segment(number: number, text: string, { reference = 7, total = 3 } = {}): LongReplySegment {
  return {
    sender: '14155552671',
    ton: 1,
    recipient: '12345',
    dataCoding: 0,
    octets: Buffer.from(text),
    part: { reference, number, total },
  };
}

/** Replies made of the segments, as their texts by number, in the order of their beginning. */
function repliesOf(segments: readonly LongReplySegment[]) {
  const { begun, joined, completed } = placeSegments(segments, []);
  const texts = begun.map(({ replyId }) =>
    joined
      .filter((one) => one.replyId === replyId)
      .sort((one, other) => one.segment.part.number - other.segment.part.number)
      .map((one) => one.segment.octets.toString()),
  );
  const whole = new Set(completed);
  return { texts, whole: begun.flatMap(({ replyId }, index) => (whole.has(replyId) ? [index] : [])) };
}

describe('placeSegments', () => {
  it('puts the segments of a reply together, in any order, each once', () => {
    const parts = [segment(1, 'a'), segment(2, 'b'), segment(3, 'c')];
    const anyOrder = fc.shuffledSubarray([...parts, ...parts], { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(anyOrder, (order) => {
        const texts = [...new Set(order.map(({ octets }) => octets.toString()))];
        const { texts: placed, whole } = repliesOf(order);
        // Segments after the whole reply are a repetition, and kept apart.
        expect(placed[0]).toEqual(texts.length === 3 ? ['a', 'b', 'c'] : texts.toSorted());
        expect(whole[0]).toBe(texts.length === 3 ? 0 : undefined);
      }),
    );
  });

  it('takes a segment that comes again while others are missing for a repetition', () => {
    expect(repliesOf([segment(1, 'a'), segment(2, 'b'), segment(1, 'a'), segment(2, 'b')])).toEqual({
      texts: [['a', 'b']],
      whole: [],
    });
  });

  it('begins another reply with a segment whose place has other octets', () => {
    expect(repliesOf([segment(1, 'a'), segment(1, 'A'), segment(2, 'b'), segment(3, 'c'), segment(2, 'B')])).toEqual({
      texts: [
        ['a', 'b', 'c'],
        ['A', 'B'],
      ],
      whole: [0],
    });
  });

  it('begins another reply after a whole one, also with the same octets', () => {
    const first = [segment(1, 'a'), segment(2, 'b'), segment(3, 'c')];
    expect(repliesOf([...first, segment(3, 'c'), segment(2, 'B'), segment(1, 'A')])).toEqual({
      texts: [
        ['a', 'b', 'c'],
        ['A', 'B', 'c'],
      ],
      whole: [0, 1],
    });
  });

  it.each([
    ['references', segment(2, 'b', { reference: 8 })],
    ['totals', segment(2, 'b', { total: 2 })],
    ['senders', { ...segment(2, 'b'), sender: '14155552672' }],
    ['recipients', { ...segment(2, 'b'), recipient: '54321' }],
  ])('keeps replies of other %s apart', (_name, other) => {
    expect(repliesOf([segment(1, 'a'), other]).texts).toEqual([['a'], ['b']]);
  });
});
