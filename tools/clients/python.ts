import type { Call, ClientModel, Emitter, Field, ObjectType, Type } from './model.js';
import { pascal, wrapped } from './text.js';

const COLUMNS = 110;
const MARK = '# Generated from the contract by `npm run -s docs:sdk`.';
const SIMPLE = { text: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any', time: 'datetime' };
const EVENT = [
  'A genuine webhook. `id` is the same on every attempt: store it to process each event once.',
  'The class of `data` follows from `type`; it is a dict for a type that is newer than this version.',
];

/** Writes the types, the calls and the error codes of the Python client. */
export const python: Emitter = (model) => ({
  'pennytext/types.py': typesModule(model).join('\n'),
  'pennytext/client.py': clientModule(model, { name: 'Pennytext', base: '_transport', prefix: '' }).join('\n'),
  'pennytext/async_client.py': clientModule(model, {
    name: 'AsyncPennytext',
    base: '_async_transport',
    prefix: 'Async',
  }).join('\n'),
});

/** `MessageId` becomes `message_id`, and the keyword `from` becomes `from_`. */
function nameOf(wire: string): string {
  const name = wire.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return name === 'from' ? 'from_' : name;
}

function typeOf(type: Type, isRequest: boolean, module = ''): string {
  if (type.kind === 'object') return `${module}${type.name}`;
  const inner = 'of' in type ? typeOf(type.of, isRequest, module) : '';
  if (type.kind === 'map') return `Mapping[str, ${inner}]`;
  if (type.kind === 'list') return isRequest ? `Sequence[${inner}]` : `tuple[${inner}, ...]`;
  if (type.kind !== 'enum') return SIMPLE[type.kind];
  const values = literal(type.values);
  return isRequest ? values : `Union[${values}, str]`;
}

const quotes = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(', ');
const literal = (values: readonly string[]) => `Literal[${quotes(values)}]`;

/** Breaks a line within its brackets. */
function fitted(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapped(line.trim(), COLUMNS - indent.length - 4).map((one, n) => `${indent}${n > 0 ? '    ' : ''}${one}`);
}

/** A docstring of paragraphs and parameters, whose Markdown becomes reStructuredText. */
function docstring(indent: string, paragraphs: readonly string[], parameters: readonly string[] = []): string[] {
  const linesOf = (text: string) =>
    wrapped(text.replaceAll('\\', '\\\\').replaceAll('`', '``'), COLUMNS - indent.length - 7);
  const blocks = paragraphs.filter(Boolean).map(linesOf);
  if (parameters.length > 0)
    blocks.push(parameters.flatMap((one) => linesOf(one).map((line, n) => (n > 0 ? `    ${line}` : line))));
  const lines = blocks.flatMap((block, n) => (n > 0 ? ['', ...block] : block));
  const text = `"""${lines.join('\n')}${lines.length > 1 ? '\n' : ''}"""`;
  return text.split('\n').map((line) => (line ? `${indent}${line}` : ''));
}

function typesModule({ types, events, errorCodes, calls }: ClientModel): string[] {
  const sent = [
    ...calls.flatMap((call) => call.arguments),
    ...types.filter((one) => one.isRequest).flatMap((one) => one.fields),
  ];
  const texts = new Set(sent.filter(({ type }) => type.kind === 'text').map(({ name }) => name));
  const shown = types.filter(({ isRequest, name }) => !isRequest || !name.endsWith('Request'));
  return [
    MARK,
    '"""Types of the arguments and of the answers."""\n',
    'from collections.abc import Mapping',
    'from dataclasses import dataclass',
    'from datetime import datetime',
    'from typing import Any, Literal, Optional, TypedDict, Union\n',
    'from ._values import Answer\n',
    ...fitted(`ErrorCode = ${literal(errorCodes)}`),
    '"""Codes of refusals. The API can have codes that are newer than this version."""\n',
    ...fitted(`TEXT_ARGUMENTS = frozenset({${quotes([...texts].sort())}})`),
    ...shown.flatMap((type) => ['\n', ...(type.isRequest ? typedDict(type) : dataclass(type))]),
    '\n\n@dataclass(frozen=True)',
    'class WebhookEvent(Answer):',
    ...docstring('    ', EVENT),
    '\n    id: str',
    ...fitted(`    type: Union[${literal(events.map(({ type }) => type))}, str]`),
    ...fitted(`    data: Union[Mapping[str, Any], ${events.map(({ data }) => data).join(', ')}]`),
    '    timestamp: Optional[datetime] = None\n\n',
    'EVENT_DATA: Mapping[str, Any] = {',
    ...events.map(({ type, data }) => `    "${type}": ${data},`),
    '}\n',
  ];
}

function dataclass({ name, fields }: ObjectType): string[] {
  const isSure = ({ isRequired, isNullable }: Field) => isRequired && !isNullable;
  // Python wants fields without a default first.
  const sorted = [...fields.filter(isSure), ...fields.filter((field) => !isSure(field))];
  const renamed = fields
    .map((field) => [nameOf(field.name), field.name] as const)
    .filter(([own, wire]) => own !== wire);
  return [
    `@dataclass(frozen=True)\nclass ${name}(Answer):`,
    ...sorted.flatMap((field) => {
      const type = typeOf(field.type, false);
      return described(field, nameOf(field.name), isSure(field) ? type : `Optional[${type}] = None`);
    }),
    ...(renamed.length > 0
      ? fitted(`    _wire = {${renamed.map((pair) => quotes(pair).replace(',', ':')).join(', ')}}`)
      : []),
  ];
}

/** Python 3.9 marks optional keys by a class of their own. */
function typedDict({ name, fields }: ObjectType): string[] {
  const lines = (isRequired: boolean) =>
    fields
      .filter((one) => one.isRequired === isRequired)
      .flatMap((one) => described(one, one.name, typeOf(one.type, true)));
  const required = lines(true);
  const optional = [`class ${name}(${required.length > 0 ? `_${name}` : 'TypedDict'}, total=False):`, ...lines(false)];
  return required.length > 0 ? [`class _${name}(TypedDict):`, ...required, '\n', ...optional] : optional;
}

const described = ({ description }: Field, name: string, type: string) => [
  ...fitted(`    ${name}: ${type}`),
  ...(description ? docstring('    ', [description]) : []),
];

interface Kind {
  readonly name: string;
  readonly base: string;
  readonly prefix: '' | 'Async';
}

function clientModule({ calls }: ClientModel, { name, base, prefix }: Kind): string[] {
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))].map((group) => ({
    group,
    type: `${prefix}${pascal(group)}`,
  }));
  const of = (group?: string) => calls.filter((call) => call.group === group).flatMap((call) => method(call, prefix));
  const about = prefix ? 'Client for asyncio.' : 'Synchronous client. Threads can share it.';
  return [
    MARK,
    `"""${about}"""\n`,
    'from __future__ import annotations\n',
    `from collections.abc import ${prefix}Iterator, Mapping, Sequence`,
    'from datetime import datetime',
    'from typing import Any, Literal, Optional\n',
    'from . import types',
    `from .${base} import ${prefix}Client`,
    'from ._values import Group, quoted',
    ...groups.flatMap(({ group, type }) => [
      `\n\nclass ${type}(Group[${prefix}Client]):`,
      `    """Calls of ${group}."""`,
      ...of(group),
    ]),
    `\n\nclass ${name}(${prefix}Client):`,
    `    """${about}"""`,
    ...groups.flatMap(({ group, type }) => [
      `\n    @property\n    def ${group}(self) -> ${type}:`,
      `        """Calls of ${group}."""\n        return ${type}(self)`,
    ]),
    ...of(),
    '',
  ];
}

function method(call: Call, prefix: Kind['prefix']): string[] {
  const { ids, list, repeat, http } = call;
  const file = call.sends === 'upload' ? ['file'] : [];
  const key = repeat === 'keyed' ? ['idempotency_key'] : [];
  const named = call.arguments.map((field) => {
    const type = typeOf(field.type, true, 'types.');
    return `${nameOf(field.name)}: ${field.isRequired ? type : `Optional[${type}] = None`}`;
  });
  named.push(...key.map((name) => `${name}: Optional[str] = None`));
  const positional = [
    'self',
    ...ids.map((id) => `${id}: str`),
    ...file.map((name) => `${name}: Optional[bytes] = None`),
  ];
  const parameters = [...positional, ...(named.length > 0 ? ['*', ...named] : [])];
  const answer = list ? `${prefix}Iterator[types.${list.item}]` : `types.${call.answer}`;
  const isAwaited = prefix && !list;
  const start = `    ${isAwaited ? 'async ' : ''}def ${call.method}(`;
  const line = `${start}${parameters.join(', ')}) -> ${answer}:`;
  const fields = [
    ...call.arguments.map((field) => `"${field.name}": ${nameOf(field.name)}`),
    ...Object.entries(call.fixed).map((pair) => quotes(pair).replace(',', ':')),
  ];
  const path = `${ids.length > 0 ? 'f' : ''}"${http.path.replace(/\{(\w+)\}/g, '{quoted($1)}')}"`;
  const repeated = repeat === 'free' ? [] : [`"${repeat}"`];
  const passed = list
    ? [`types.${list.item}`, `"${list.field}"`, path, 'fields']
    : [`types.${call.answer}`, `"${http.method}"`, path, 'fields', ...repeated, ...key, ...file];
  const documented = [
    ...file.map(() => ':param file: The bytes of a file; without them, give its `url`.'),
    ...call.arguments.map(({ name, description }) => description && `:param ${nameOf(name)}: ${description}`),
    ...key.map((name) => `:param ${name}: Your own key, so that a repetition by another process is recognized too.`),
  ];
  const owner = call.group ? '_client.' : '';
  const verb = list ? 'list' : 'call';
  return [
    '',
    ...(line.length <= COLUMNS
      ? [line]
      : [start, ...parameters.flatMap((one) => fitted(`        ${one},`)), `    ) -> ${answer}:`]),
    ...docstring('        ', [`${call.summary}.`, call.description], documented.filter(Boolean)),
    ...fitted(`        fields: Mapping[str, Any] = {${fields.join(', ')}}`),
    ...fitted(`        return ${isAwaited ? 'await ' : ''}self.${owner}_${verb}(${passed.join(', ')})`),
  ];
}
