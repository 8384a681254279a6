import { readFileSync } from 'node:fs';
import { version } from './config.js';

it('has the version of package.json', () => {
  const { version: released } = JSON.parse(readFileSync(`${__dirname}/../../../package.json`, 'utf8')) as {
    version: string;
  };
  expect(version).toBe(released);
});
