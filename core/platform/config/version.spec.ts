import { readFileSync } from 'node:fs';
import { version } from './version.js';

it('is the version that package.json has', () => {
  const { version: released } = JSON.parse(readFileSync(`${__dirname}/../../../package.json`, 'utf8')) as {
    version: string;
  };
  expect(version).toBe(released);
});
