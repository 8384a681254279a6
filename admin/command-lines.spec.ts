import { sharedWordsOf, wordsOf } from './command-lines.js';

describe('Commands from standard input', () => {
  it.each([
    ['queue status', ['queue', 'status']],
    [
      `  credits adjust ada@example.com 5 --why 'it''s late' # thanks`,
      ['credits', 'adjust', 'ada@example.com', '5', '--why', 'its late'],
    ],
    [
      String.raw`key create ada@example.com "Web \"shop\"" a\ b ''`,
      ['key', 'create', 'ada@example.com', 'Web "shop"', 'a b', ''],
    ],
    ['# nothing', []],
    ['', []],
  ])('are split as by a shell: %s', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it('refuses a quote that does not end', () => {
    expect(() => wordsOf(`credits adjust --why 'late`)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it.each([
    [['-'], []],
    [
      ['--as', 'ada', '-'],
      ['--as', 'ada'],
    ],
    [['queue', 'status'], undefined],
    [['account', 'show', '-'], undefined],
    [['-', 'queue'], undefined],
  ])('are asked for by - alone: %j', (words, shared) => {
    expect(sharedWordsOf(words)).toEqual(shared);
  });
});
