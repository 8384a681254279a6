import { firstKey } from './first-key.js';

describe('the key that the composer opens with', () => {
  it.each(['live', 'test', undefined] as const)(
    'is the live one until a message was delivered, whatever was chosen before: %s',
    (last) => {
      expect(firstKey({ balance: 3, delivered: 0, last })).toBe('live');
    },
  );

  it.each(['live', 'test'] as const)('is the last one, %s, after the first delivery', (last) => {
    expect(firstKey({ balance: 3, delivered: 1, last })).toBe(last);
    expect(firstKey({ balance: 0, delivered: 1, last })).toBe(last);
  });

  it('is the test key where none was chosen and live messages need more credits or are known to arrive', () => {
    expect(firstKey({ balance: 0, delivered: 0, last: undefined })).toBe('test');
    expect(firstKey({ balance: 3, delivered: 1, last: undefined })).toBe('test');
  });
});
