import type { Call, ClientModel, Field, ObjectType, Type } from './model.js';
import type { Emitter } from './emitters.js';
import { pascal, wrapped } from './text.js';

const COLUMNS = 110;
const MARK = '# Generated from the contract by `npm run -s docs:sdk`.';
const KEYWORDS = new Set(['from', 'is', 'in', 'not', 'or', 'and', 'class', 'def', 'import', 'pass', 'return', 'None']);

/** Writes the types, the calls and the error codes of the Python client. */
export const python: Emitter = (model) => ({
  'pennytext/types.py': `${typesModule(model).join('\n')}\n`,
  'pennytext/client.py': `${clientModule(model, false).join('\n')}\n`,
  'pennytext/async_client.py': `${clientModule(model, true).join('\n')}\n`,
});

/** `MessageId` becomes `message_id`, `from` becomes `from_`. */
function nameOf(wire: string): string {
  const name = wire.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function typeOf(type: Type, isRequest: boolean): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'any':
      return 'Any';
    case 'time':
      return 'datetime';
    case 'enum': {
      const values = `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
      return isRequest ? values : `Union[${values}, str]`;
    }
    case 'list':
      return isRequest ? `Sequence[${typeOf(type.of, true)}]` : `tuple[${typeOf(type.of, false)}, ...]`;
    case 'map':
      return `Mapping[str, ${typeOf(type.of, isRequest)}]`;
    case 'object':
      return type.name;
  }
}

const optional = (type: string) => `Optional[${type}]`;

/** Breaks a line within its brackets. */
function fitted(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const [first = '', ...more] = wrapped(line.trim(), COLUMNS - indent.length - 4);
  return [`${indent}${first}`, ...more.map((one) => `${indent}    ${one}`)];
}

/** A docstring of paragraphs, whose Markdown becomes reStructuredText. */
function docstring(indent: string, paragraphs: readonly string[]): string[] {
  const texts = paragraphs.map((text) => text.replaceAll('\\', '\\\\').replaceAll('`', '``').trim()).filter(Boolean);
  const lines = texts.flatMap((text, n) => {
    const [first = '', ...more] = wrapped(text, COLUMNS - indent.length - 7);
    const isParameter = text.startsWith(':');
    return [
      ...(n > 0 && !(isParameter && texts[n - 1]?.startsWith(':')) ? [''] : []),
      first,
      ...more.map((one) => (isParameter ? `    ${one}` : one)),
    ];
  });
  const end = lines.length > 1 ? ['"""'] : [];
  const [first = '', ...rest] = lines;
  return [`"""${first}${end.length > 0 ? '' : '"""'}`, ...rest, ...end].map((line) => (line ? `${indent}${line}` : ''));
}

function typesModule({ types, events, errorCodes, calls }: ClientModel): string[] {
  const texts = [
    ...calls.flatMap((call) => call.arguments),
    ...types.filter((type) => type.isRequest).flatMap(({ fields }) => fields),
  ];
  const names = [...new Set(texts.filter(({ type }) => type.kind === 'text').map(({ name }) => name))].sort();
  const inner = types.filter((type) => !type.isRequest || !type.name.endsWith('Request'));
  return [
    MARK,
    '"""Types of the arguments and of the answers."""',
    '',
    'from collections.abc import Mapping',
    'from dataclasses import dataclass',
    'from datetime import datetime',
    'from typing import Any, Literal, Optional, TypedDict, Union',
    '',
    'from ._values import Answer',
    '',
    ...fitted(`ErrorCode = Literal[${errorCodes.map((code) => `"${code}"`).join(', ')}]`),
    '"""Codes of refusals. The API can have codes that are newer than this version."""',
    '',
    ...fitted(`TEXT_ARGUMENTS = frozenset({${names.map((name) => `"${name}"`).join(', ')}})`),
    ...inner.flatMap((type) => ['', '', ...(type.isRequest ? typedDict(type) : dataclass(type))]),
    '',
    '',
    '@dataclass(frozen=True)',
    'class WebhookEvent(Answer):',
    ...docstring('    ', [
      'A genuine webhook. `id` is the same on every attempt: store it to process each event once.',
      'The class of `data` follows from `type`; it is a dict for a type that is newer than this version.',
    ]),
    '',
    '    id: str',
    ...fitted(`    type: Union[Literal[${events.map(({ type }) => `"${type}"`).join(', ')}], str]`),
    ...fitted(`    data: Union[Mapping[str, Any], ${events.map(({ data }) => data).join(', ')}]`),
    '    timestamp: Optional[datetime] = None',
    '',
    '',
    'EVENT_DATA: Mapping[str, Any] = {',
    ...events.map(({ type, data }) => `    "${type}": ${data},`),
    '}',
  ];
}

function dataclass({ name, fields }: ObjectType): string[] {
  const isSure = ({ isRequired, isNullable }: Field) => isRequired && !isNullable;
  const wire = fields.filter((field) => nameOf(field.name) !== field.name);
  const described = (field: Field) => {
    const type = typeOf(field.type, false);
    const line = `    ${nameOf(field.name)}: ${isSure(field) ? type : `${optional(type)} = None`}`;
    return [...fitted(line), ...(field.description ? docstring('    ', [field.description]) : [])];
  };
  const pairs = wire.map((field) => `"${nameOf(field.name)}": "${field.name}"`).join(', ');
  return [
    '@dataclass(frozen=True)',
    `class ${name}(Answer):`,
    // Python wants fields with a default after those without.
    ...[...fields.filter(isSure), ...fields.filter((field) => !isSure(field))].flatMap(described),
    ...(wire.length > 0 ? ['', ...fitted(`    _wire = {${pairs}}`)] : []),
  ];
}

/** Python 3.9 marks optional keys by a class of their own. */
function typedDict({ name, fields }: ObjectType): string[] {
  const lines = (some: readonly Field[]) =>
    some.flatMap((field) => [
      `    ${field.name}: ${typeOf(field.type, true)}`,
      ...(field.description ? docstring('    ', [field.description]) : []),
    ]);
  const required = fields.filter(({ isRequired }) => isRequired);
  const base = required.length > 0 ? `_${name}` : 'TypedDict';
  return [
    ...(required.length > 0 ? [`class ${base}(TypedDict):`, ...lines(required), '', ''] : []),
    `class ${name}(${base}, total=False):`,
    ...lines(fields.filter(({ isRequired }) => !isRequired)),
  ];
}

function clientModule({ calls, types }: ClientModel, isAsync: boolean): string[] {
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))];
  const base = isAsync ? 'AsyncClient' : 'Client';
  const name = isAsync ? 'AsyncPennytext' : 'Pennytext';
  const about = isAsync ? 'Client for asyncio.' : 'Synchronous client. Threads can share it.';
  const of = (group?: string) => calls.filter((call) => call.group === group).flatMap((call) => method(call, isAsync));
  const prefix = isAsync ? 'Async' : '';
  const used = types.map((type) => type.name).filter((type) => calls.some((call) => namesIn(call).includes(type)));
  return [
    MARK,
    `"""${about}"""`,
    '',
    'from __future__ import annotations',
    '',
    `from collections.abc import ${prefix}Iterator, Mapping, Sequence`,
    'from datetime import datetime',
    'from typing import Any, Literal, Optional',
    '',
    `from .${isAsync ? '_async_transport' : '_transport'} import ${base}`,
    'from ._values import Group, quoted',
    `from .types import (`,
    ...used.map((type) => `    ${type},`),
    ')',
    ...groups.flatMap((group) => [
      '',
      '',
      `class ${prefix}${pascal(group)}(Group):`,
      `    """Calls of ${group}."""`,
      ...of(group),
    ]),
    '',
    '',
    `class ${name}(${base}):`,
    `    """${about}"""`,
    ...groups.flatMap((group) => [
      '',
      '    @property',
      `    def ${group}(self) -> ${prefix}${pascal(group)}:`,
      `        """Calls of ${group}."""`,
      `        return ${prefix}${pascal(group)}(self)`,
    ]),
    ...of(),
  ];
}

/** Names of the types in the signature of a call. */
function namesIn({ answer, list, arguments: given }: Call): string[] {
  const inner = (type: Type): string[] => ('of' in type ? inner(type.of) : type.kind === 'object' ? [type.name] : []);
  return [list?.item ?? answer, ...given.flatMap(({ type }) => inner(type))];
}

function method(call: Call, isAsync: boolean): string[] {
  const { ids, list, repeat, http, fixed } = call;
  const isKeyed = repeat === 'keyed';
  const given = call.arguments.map((one) => {
    const type = typeOf(one.type, true);
    return { ...one, name: nameOf(one.name), wire: one.name, text: one.isRequired ? type : `${optional(type)} = None` };
  });
  const named = [
    ...given.map((one) => `${one.name}: ${one.text}`),
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
  ];
  const file = call.sends === 'upload' ? ['file: Optional[bytes] = None'] : [];
  const parameters = ['self', ...ids.map((id) => `${id}: str`), ...file, ...(named.length > 0 ? ['*', ...named] : [])];
  const answer = list ? `${isAsync ? 'AsyncIterator' : 'Iterator'}[${list.item}]` : call.answer;
  const start = `    ${isAsync && !list ? 'async ' : ''}def ${call.method}(`;
  const line = `${start}${parameters.join(', ')}) -> ${answer}:`;
  const values = [
    ...given.map((one) => `"${one.wire}": ${one.name}`),
    ...Object.entries(fixed).map(([name, value]) => `"${name}": "${value}"`),
  ];
  const path = ids.length > 0 ? `f"${http.path.replace(/\{(\w+)\}/g, '{quoted($1)}')}"` : `"${http.path}"`;
  const more = isKeyed
    ? ['"keyed"', 'idempotency_key', ...(file.length > 0 ? ['file'] : [])]
    : repeat === 'once'
      ? ['"once"']
      : [];
  const passed = list
    ? [list.item, `"${list.field}"`, path, 'fields']
    : [call.answer, `"${http.method}"`, path, 'fields', ...more];
  return [
    '',
    ...(line.length <= COLUMNS
      ? [line]
      : [start, ...parameters.map((one) => `        ${one},`), `    ) -> ${answer}:`]),
    ...docstring('        ', [
      `${call.summary}.`,
      call.description,
      ...(file.length > 0 ? [':param file: The bytes of a file; without them, give its `url`.'] : []),
      ...given.filter((one) => one.description).map((one) => `:param ${one.name}: ${one.description}`),
      ...(isKeyed
        ? [':param idempotency_key: Your own key, so that a repetition by another process is recognized too.']
        : []),
    ]),
    ...fitted(`        fields: Mapping[str, Any] = {${values.join(', ')}}`),
    `        return ${isAsync && !list ? 'await ' : ''}self._${list ? 'list' : 'call'}(${passed.join(', ')})`,
  ];
}
