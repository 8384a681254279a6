import { readFileSync } from 'node:fs';
import { environmentVariables } from './env.js';

const readme = readFileSync(`${__dirname}/../../../README.md`, 'utf8');

it('has a row in the README for every variable, and none for others', () => {
  const section = readme.slice(readme.indexOf('| Variable'), readme.indexOf('`GET /healthz`'));
  const rows = [...section.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
  expect(rows.toSorted()).toEqual([...environmentVariables].toSorted());
});
