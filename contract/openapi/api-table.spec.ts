import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './document.js';
import { openApiDocument } from './openapi.js';

const document = openApiDocument('https://pennytext.example');
const text = readFileSync(join(__dirname, '../../docs/api.md'), 'utf8');
/** Parameters of the calls in the table of docs/api.md, with `{}` in place of ids. */
const rows = new Map(
  [...text.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) \/api\/[^`]+)`\s*\|([^|]*)\|([^|]*)\|/gm)].map(
    ([, call = '', parameters = '', response = '']) => [pathOf(call), { parameters, response }],
  ),
);

const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const body = propertiesOf(operation.requestBody?.content['application/json']?.schema);
    const queries = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    // The key is explained above the table, for all calls.
    const fields = [...body, ...queries].filter((name) => name !== 'apikey');
    const answer = propertiesOf(
      (operation.responses['200'] ?? operation.responses['201'])?.content?.['application/json']?.schema,
    );
    return { call: pathOf(`${method.toUpperCase()} ${path}`), fields, answer };
  }),
);

function pathOf(call: string): string {
  return call.replace(/\{\w+\}/g, '{}');
}

function propertiesOf(schema: Schema | undefined): string[] {
  const name = schema?.$ref?.split('/').at(-1);
  return Object.keys((name === undefined ? schema : document.components.schemas[name])?.properties ?? {});
}

/** The names in a cell; "As `sendsms`" stands for the fields of that call. */
function namesIn(cell: string): Set<string> {
  const names = new Set([...cell.matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name));
  for (const { call, fields } of calls)
    if (/^ *As /.test(cell) && [...names].some((name) => call.endsWith(`/${name}`)))
      for (const field of fields) names.add(field);
  return names;
}

describe('the table of docs/api.md', () => {
  it('has a row for every call of the contract, and no other', () => {
    expect([...rows.keys()].sort()).toEqual(calls.map(({ call }) => call).sort());
  });

  it.each(calls)('names all fields of $call', ({ call, fields }) => {
    const names = namesIn(rows.get(call)?.parameters ?? '');
    expect(fields.filter((field) => !names.has(field))).toEqual([]);
  });

  it('names every field of the answer to a sent message', () => {
    const sent = calls.find(({ call }) => call === 'POST /api/sendsms');
    const names = namesIn(rows.get('POST /api/sendsms')?.response ?? '');
    expect(sent?.answer.filter((field) => !names.has(field))).toEqual([]);
    expect(sent?.fields).toEqual(expect.arrayContaining(['send_at', 'validity']));
  });
});
