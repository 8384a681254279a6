import type { Call, Emitter, Field, Type } from './model.js';
import { pascal, wrapped } from './text.js';

const WIDTH = 106;
/** Every object of Ruby has `send`, so calls have another name. */
const methodNames: Readonly<Record<string, string>> = { send: 'send_message', 'otp.send': 'otp.send_code' };
/** Methods of every object that a reader must not replace. */
const OBJECT_METHODS = ['class', 'clone', 'dup', 'freeze', 'hash', 'inspect', 'method', 'send', 'tap', 'then', 'to_h'];
/** Words that can name an argument, but are not read as a variable. */
const KEYWORDS = ['alias', 'and', 'begin', 'class', 'do', 'end', 'ensure', 'for', 'if', 'in', 'next', 'or', 'until'];
const IDEMPOTENCY_KEY = '@param idempotency_key [String, nil] your own key; each call has a random one without it';

/** Writes the types, calls and codes of the Ruby client. */
export const ruby: Emitter = ({ types, calls, errorCodes, events }) => {
  const answers = types.filter(({ isRequest }) => !isRequest);
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))];
  const methods = (wanted?: string) => calls.filter(({ group }) => group === wanted).map(method);
  const accessors = groups.map((name) => [
    `# @return [${pascal(name)}Calls]`,
    `def ${name} = ${pascal(name)}Calls.new(@transport)`,
  ]);
  const codes = ['# Codes of the API.', 'CODES = %w[', ...indented(wrapped(errorCodes.join(' '), WIDTH)), '].freeze'];
  const classes = events.flatMap(({ type, data, summary }) => [`# ${summary}.`, `"${type}" => ${data},`]);
  return {
    'lib/pennytext/types.rb': file(
      answers.map(({ name, fields }) => block(`class ${name} < Value`, fields.map(reader))),
    ),
    'lib/pennytext/calls.rb': file([
      ...groups.map((name) => block(`class ${pascal(name)}Calls < Calls`, methods(name))),
      block('class Client', [...methods(), ...accessors]),
    ]),
    'lib/pennytext/codes.rb': file([
      block('class Error', [codes]),
      ['# Types of webhooks, and the classes of their data.', 'EVENTS = {', ...indented(classes), '}.freeze'],
    ]),
  };
};

function file(parts: readonly (readonly string[])[]): string {
  const mark = '# Generated from the contract by `npm run -s docs:sdk`.';
  return ['# frozen_string_literal: true', '', mark, '', ...block('module Pennytext', parts), ''].join('\n');
}

/** Parts in a class or module, with an empty line between them. */
function block(head: string, parts: readonly (readonly string[])[]): string[] {
  return [head, ...indented(parts.flatMap((part, place) => (place === 0 ? part : ['', ...part]))), 'end'];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

function reader({ name, type, description, ...field }: Field): string[] {
  const values = type.kind === 'enum' ? ` Now one of ${type.values.map((value) => `\`${value}\``).join(', ')}.` : '';
  // A list that is missing is read as an empty one.
  const canBeNil = type.kind !== 'list' && (field.isNullable || !field.isRequired);
  const snake = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
  return [
    ...tag(`@return [${typeOf(type)}${canBeNil ? ', nil' : ''}] ${description}${values}`),
    `def ${snake}${OBJECT_METHODS.includes(snake) ? '_' : ''} = ${readOf(type, JSON.stringify(name))}`,
  ];
}

function readOf(type: Type, name: string): string {
  if (type.kind === 'time') return `time_of(${name})`;
  if (type.kind === 'object') return `value_of(${name}, ${type.name})`;
  if (type.kind === 'list') return `values_of(${name}${type.of.kind === 'object' ? `, ${type.of.name}` : ''})`;
  return `self[${name}]`;
}

/** A type in the notation of YARD. Objects of requests are hashes. */
function typeOf(type: Type): string {
  const names = {
    text: 'String',
    enum: 'String',
    integer: 'Integer',
    number: 'Float',
    boolean: 'Boolean',
    time: 'Time',
  };
  if (type.kind === 'list') return `Array<${typeOf(type.of)}>`;
  if (type.kind === 'map') return `Hash{String => ${typeOf(type.of)}}`;
  if (type.kind === 'object') return /^(BulkMessage|MediaSource|OtpChannel)$/.test(type.name) ? 'Hash' : type.name;
  return type.kind === 'any' ? 'Object' : names[type.kind];
}

function method(call: Call): string[] {
  const { name, ids, sends, fixed, list, answer, arguments: fields } = call;
  const named = (methodNames[name] ?? name).split('.').at(-1) ?? name;
  const upload =
    sends === 'upload' ? ['@param file [String, IO, nil] the bytes, or an open file; without it the `url`'] : [];
  const params = fields.map((field) => {
    const type = `${typeOf(field.type)}${field.isRequired ? '' : ', nil'}`;
    return `@param ${field.name} [${type}] ${field.description}`;
  });
  const key = call.repeat === 'keyed' ? [IDEMPOTENCY_KEY] : [];
  const ends = [`@return [${list ? `Enumerator<${list.item}>` : answer}]`, '@raise [Error]'];
  const taken = [...ids, ...(sends === 'upload' ? ['file = nil'] : []), ...keywordsOf(fields)];
  const values = fields.map((field) => `${field.name}: ${variable(field.name)}`);
  const pairs = [...values, ...Object.entries(fixed).map(([parameter, value]) => `${parameter}: "${value}"`)];
  return [
    ...[`${call.summary}.`, call.description].flatMap((text) => [...tag(text, ''), '#']),
    ...[...ids.map((id) => `@param ${id} [String]`), ...upload, ...params, ...key, ...ends].flatMap((text) =>
      tag(text),
    ),
    ...broken(`def ${named}(`, [...taken, ...(key.length > 0 ? ['idempotency_key: nil'] : []), '**options'], ')'),
    ...(pairs.length > 0 ? broken('  fields = { ', pairs, ' }') : []),
    ...broken(`  @transport.${list ? 'list' : 'call'}(`, passedOf(call, pairs.length > 0), ')'),
    'end',
  ];
}

function keywordsOf(fields: readonly Field[]): string[] {
  const sorted = [...fields.filter((field) => field.isRequired), ...fields.filter((field) => !field.isRequired)];
  return sorted.map(({ name, isRequired }) => `${name}:${isRequired ? '' : ' nil'}`);
}

const variable = (name: string) => (KEYWORDS.includes(name) ? `binding.local_variable_get(:${name})` : name);

/** Arguments of the transport. */
function passedOf({ http, list, answer, sends, repeat }: Call, hasFields: boolean): string[] {
  const path = `"${http.path.replaceAll(/\{(\w+)\}/g, '#{segment($1)}')}"`;
  return [
    ...(list ? [path, list.item, `"${list.field}"`] : [`"${http.method}"`, path, answer]),
    ...(hasFields ? [`${sends === 'query' ? 'query' : 'body'}: fields`] : sends === 'body' ? ['body: {}'] : []),
    ...(sends === 'upload' ? ['file: file', 'timeout: 120', 'deadline: 240'] : []),
    ...(repeat === 'free' ? [] : [`repeat: :${repeat}`]),
    ...(repeat === 'keyed' ? ['idempotency_key: idempotency_key'] : []),
    '**options',
  ];
}

/** A comment in RDoc's markup, which is `+name+`, and `<tt>` for anything else. */
function tag(text: string, indent = '  '): string[] {
  const code = (_all: string, given: string) => (/^\w+$/.test(given) ? `+${given}+` : `<tt>${given}</tt>`);
  const lines = wrapped(text.replaceAll(/`([^`]+)`/g, code), WIDTH);
  return lines.map((line, place) => `# ${place === 0 ? '' : indent}${line}`.trimEnd());
}

/** Items in as few lines as they need. */
function broken(open: string, items: readonly string[], close: string): string[] {
  const words = items.map((item) => item.replaceAll(' ', '\u2060')).join(', ');
  const lines = wrapped(words, WIDTH - open.length).map((line) => line.replaceAll('\u2060', ' '));
  const pad = ' '.repeat(open.length);
  return lines.map((line, n) => `${n === 0 ? open : pad}${line}${n === lines.length - 1 ? close : ''}`);
}
