import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicCode } from '../../../contract/errors.js';
import { openApiDocument } from '../../../contract/openapi/openapi.js';
import { refusalsOf } from '../../../contract/openapi/refusals.js';
import type { Schema } from '../../../contract/openapi/document.js';

const document = openApiDocument('https://pennytext.example');

const COMMENT_CHARACTERS = 90;

/** Fields that the client sets itself or types more precisely than JSON Schema can. Answers hide `success`. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  SendBulkRequest: ['messages', 'message', 'recipients'],
};
const names: Readonly<Record<string, string>> = { SendBulkRequest: 'BulkOptions' };

const files = ['api-types', 'message-types', 'bulk-types', 'error-types', 'event-types'] as const;
type FileName = (typeof files)[number];

describe('the types of the API', () => {
  it.each(files)('are generated from the contract in %s.ts: run npm run -s docs:sdk', (name) => {
    const file = join(__dirname, `${name}.ts`);
    const generated = formatted(name, declarations()[name]);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(file, generated);
    expect(readFileSync(file, 'utf8')).toBe(generated);
  });
});

/**
 * Returns the TypeScript declarations of every body, answer and webhook event of the OpenAPI
 * document, by file.
 */
function declarations(): Readonly<Record<FileName, readonly string[]>> {
  const schemas = Object.entries(document.components.schemas);
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema ?? {};
    return { type, name: `${pascal(type)}Event`, summary: post.summary, schema };
  });
  const codes = [...new Set(Object.values(refusalsOf).flat().map(publicCode))].sort((a, b) => a.localeCompare(b));
  const declaredIn = (file: FileName) =>
    schemas.filter(([name]) => fileOf(name) === file).map(([name, schema]) => declared(name, schema));
  return {
    'api-types': declaredIn('api-types'),
    'message-types': declaredIn('message-types'),
    'bulk-types': declaredIn('bulk-types'),
    'error-types': [
      ...declaredIn('error-types'),
      `/** Stable reason of a refused call. */\nexport type ApiErrorCode = ` +
        `${codes.map((code) => `'${code}'`).join(' | ')};`,
    ],
    'event-types': [
      ...events.map(({ name, summary, type, schema }) =>
        type === 'message.received'
          ? `/** ${summary}. */\nexport interface ${name} { type: 'message.received'; data: ${typeOf(schema, false)} }`
          : `/** ${summary}. */\nexport interface ${name} ${typeOf(schema, false)}`,
      ),
      `/** An event of your account. */\nexport type AccountEvent = ${events.map(({ name }) => name).join(' | ')};`,
    ],
  };
}

function fileOf(schema: string): FileName {
  if (schema.endsWith('Failure')) return 'error-types';
  if (schema.startsWith('Message')) return 'message-types';
  return /Bulk|Batch/.test(schema) ? 'bulk-types' : 'api-types';
}

function formatted(name: FileName, own: readonly string[]): string {
  const text = own.join('\n\n');
  const used = Object.keys(document.components.schemas).filter((schema) => new RegExp(`: \\(?${schema}\\b`).test(text));
  const imports = files
    .filter((file) => file !== name)
    .map((file) => [file, used.filter((schema) => fileOf(schema) === file)] as const)
    .filter(([, needed]) => needed.length > 0)
    .map(([file, needed]) => `import type { ${needed.join(', ')} } from './${file}.js';\n\n`);
  const input = ['// Generated from the contract by `npm run -s docs:sdk`.\n\n', ...imports, text].join('');
  const oxfmt = join(__dirname, '../../../node_modules/oxfmt/bin/oxfmt');
  return execFileSync(process.execPath, [oxfmt, '--stdin-filepath', join(__dirname, `${name}.ts`)], {
    input,
    encoding: 'utf8',
  });
}

function declared(name: string, schema: Schema): string {
  const isRequest = name.endsWith('Request');
  const hidden = isRequest ? ['apikey', ...(leftOut[name] ?? [])] : name.endsWith('Failure') ? [] : ['success'];
  return `export interface ${names[name] ?? name} ${typeOf(schema, isRequest, hidden)}`;
}

/**
 * A schema as a type. Requests leave null out, and take numbers only where forms could send them as
 * text.
 */
function typeOf(schema: Schema, isRequest: boolean, hidden: readonly string[] = []): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) {
    const kinds = schema.anyOf.map((one) => nested(one));
    // Forms send the names of a list as one text.
    const isNames = (one: Schema) => isRequest && one.type === 'string' && kinds.some(({ type }) => type === 'array');
    const kept = kinds.filter((one) => !isNames(one)).map((one) => typeOf(one, isRequest));
    return union(kept.filter(isWanted(isRequest)));
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 1) {
    const kept = types.filter((type) => !(isRequest && (type === 'null' || (type === 'string' && hasNumber(types)))));
    return union(kept.map((type) => typeOf({ ...schema, type }, isRequest)));
  }
  if (types[0] === 'array') return `(${typeOf(nested([schema.items ?? {}].flat()[0] ?? {}), isRequest)})[]`;
  if (types[0] === 'object') return objectOf(schema, isRequest, hidden);
  return types[0] === 'integer' ? 'number' : (types[0] ?? 'unknown');
}

function objectOf(schema: Schema, isRequest: boolean, hidden: readonly string[]): string {
  if (!schema.properties) {
    const keys = schema.propertyNames ? typeOf(nested(schema.propertyNames), false) : 'string';
    const values =
      typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, false) : 'number';
    return `Record<${keys}, ${values}>`;
  }
  const fields = Object.entries(schema.properties)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, field]) => {
      const property = nested(field);
      const note = property.description ? docComment(property.description) : '';
      const isNeeded = schema.required?.includes(name) ?? false;
      const optional = isRequest && !isNeeded ? ' | undefined' : '';
      return `${note}${name}${isNeeded ? '' : '?'}: ${typeOf(property, isRequest)}${optional};`;
    });
  return `{\n${fields.join('\n')}\n}`;
}

/** A wrapped comment, whose lines have at most 100 columns where it is nested. */
function docComment(text: string): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= COMMENT_CHARACTERS) lines.splice(-1, 1, line);
    else lines.push(word);
  }
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

const nested = (schema: Schema | boolean): Schema => (typeof schema === 'boolean' ? {} : schema);
const hasNumber = (types: readonly string[]) => types.some((type) => type === 'integer' || type === 'number');
const isWanted = (isRequest: boolean) => (type: string) => !(isRequest && type === 'null');
const union = (types: readonly string[]) => types.join(' | ');
const pascal = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
