import { gainOf } from './sizes.js';

it('tells what each table has gained, and all of one that was not there', () => {
  const before = [{ table: 'messages', heap: 8_192, indexes: 16_384 }];
  const after = [
    { table: 'messages', heap: 81_920, indexes: 32_768 },
    { table: 'webhook_attempts', heap: 8_192, indexes: 0 },
  ];
  expect(gainOf(before, after)).toEqual([
    { table: 'messages', heap: 73_728, indexes: 16_384 },
    { table: 'webhook_attempts', heap: 8_192, indexes: 0 },
  ]);
});
