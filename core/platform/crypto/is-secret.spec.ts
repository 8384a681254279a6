import { isSecret } from './encryption.js';

it.each([
  ['the secret itself', 'correct horse', true],
  ['its beginning', 'correct', false],
  ['nothing', '', false],
  ['another text of its length', 'correct house', false],
  ['the secret with a suffix', 'correct horse ', false],
])('tells %s', (_title, given, answer) => {
  expect(isSecret(given, 'correct horse')).toBe(answer);
});
