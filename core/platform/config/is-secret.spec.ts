import { isSecret } from './is-secret.js';

it.each([
  ['the secret itself', 'correct horse', true],
  ['its beginning', 'correct', false],
  ['nothing', '', false],
  ['another of its length', 'correct house', false],
  ['the same with more behind', 'correct horse ', false],
])('tells %s', (_title, given, answer) => {
  expect(isSecret(given, 'correct horse')).toBe(answer);
});
