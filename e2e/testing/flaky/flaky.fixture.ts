import { expect, test } from '@playwright/test';

test('passes', () => {
  expect(1).toBe(1);
});

test.describe('in a group', () => {
  test('passes on its second run', () => {
    expect(test.info().retry).toBe(1);
  });
});
