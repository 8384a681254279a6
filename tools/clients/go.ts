import type { Call, ClientModel, Field, ObjectType, Type } from './model.js';
import { camel, pascal, wrapped } from './text.js';

const MARK = '// Code generated from the contract by `npm run -s docs:sdk`. DO NOT EDIT.\n\npackage pennytext\n\n';
const COMMENT_CHARACTERS = 100;
const TRIES: Readonly<Record<Call['repeat'], string>> = { free: '', keyed: 'repeat: keyed', once: 'repeat: once' };

/** Words that Go writes in capital letters, and words of which a name of the contract joins two. */
const WORDS: Readonly<Record<string, string>> = {
  Api: 'API',
  Id: 'ID',
  Ids: 'IDs',
  Ip: 'IP',
  Optouts: 'OptOuts',
  Otp: 'OTP',
  Otps: 'OTPs',
  Sha256: 'SHA256',
  Sms: 'SMS',
  Url: 'URL',
};

/** Writes the types, calls and error codes of the Go client, as gofmt would. */
export function emitGo(model: ClientModel): Readonly<Record<string, string>> {
  return { 'calls.go': callsOf(model), 'types.go': typesOf(model), 'codes.go': codesOf(model) };
}

/** `message_id` and `OtpGuard` become `MessageID` and `OTPGuard`. */
function goName(name: string): string {
  return pascal(name).replaceAll(/[A-Z][a-z0-9]*/g, (word) => WORDS[word] ?? word);
}

const paramsOf = ({ group = '', method }: Call) => `${goName(group)}${goName(method)}Params`;

function callsOf({ calls }: ClientModel): string {
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))];
  const services = groups.map((group) => [goName(group), `*${goName(group)}Service`]);
  const made = groups.map((group) => [`${goName(group)}:`, `&${goName(group)}Service{transport},`]);
  // A quote takes the arguments of what it prices.
  const shapes = new Map<string, string>();
  const blocks = calls.map((call) => {
    const shape = JSON.stringify(call.arguments);
    const params = shapes.get(shape) ?? paramsOf(call);
    const struct = call.arguments.length === 0 || shapes.has(shape) ? '' : `${paramsStruct(call)}\n`;
    shapes.set(shape, params);
    return struct + method(call, call.arguments.length === 0 ? undefined : params);
  });
  return [
    `${MARK}import (\n\t"context"\n\t"net/url"\n\t"time"\n)\n`,
    `// Client makes the calls of the API. NewClient returns one.\ntype Client struct {\n\ttransport *transport\n`,
    `${aligned(services)}}\n`,
    `func newClient(transport *transport) *Client {\n\treturn &Client{\n\t\ttransport: transport,\n`,
    `${aligned(made, '\t\t')}\t}\n}\n`,
    ...groups.map((group) => service(goName(group))),
    ...blocks,
  ].join('\n');
}

function service(name: string): string {
  return `// ${name}Service makes calls of a Client.\ntype ${name}Service struct{ transport *transport }\n`;
}

function paramsStruct(call: Call): string {
  const own: Row[] = [
    ...(call.sends === 'upload' ? [row('Bytes', '[]byte', '-', 'The file. If nil, the service fetches URL.')] : []),
    ...call.arguments.map((field) => fieldRow(field, call.http.method === 'PATCH' ? 'change' : 'request')),
    ...(call.repeat === 'keyed' ? [row('IdempotencyKey', 'string', '-', KEY)] : []),
  ];
  const what =
    call.group === undefined ? `Client.${goName(call.method)}` : `${goName(call.group)}Service.${goName(call.method)}`;
  return `// ${paramsOf(call)} are the arguments of ${what}.\ntype ${paramsOf(call)} struct {\n${struct(own)}}\n`;
}

const KEY =
  'Your own key, so that a repetition by another process is recognized too. If empty, each call has a random key.';

function method(call: Call, params: string | undefined): string {
  const { group, http, ids, list, sends } = call;
  const name = goName(call.method);
  const names = ids.map((id) => camel(id).replace(/Id$/, 'ID'));
  const receiver = group === undefined ? 'c *Client' : `s *${goName(group)}Service`;
  const transport = `${receiver.slice(0, 1)}.transport`;
  const given = [
    ...(list ? [] : ['ctx context.Context']),
    ...(names.length === 0 ? [] : [`${names.join(', ')} string`]),
    ...(params === undefined ? [] : [`params ${params}`]),
  ].join(', ');
  const pieces = http.path.split(/\{\w+\}/).map((text) => (text === '' ? [] : [`"${text}"`]));
  const path = pieces.flatMap((text, n) => [
    ...text,
    ...(names[n] === undefined ? [] : [`url.PathEscape(${names[n]})`]),
  ]);
  const fixed = Object.entries(call.fixed).map(([key, value]) => `"${key}": "${value}"`);
  const content = params === undefined ? 'struct{}{}' : 'params';
  const request = [
    `method: "${http.method}"`,
    `path: ${path.join(' + ')}`,
    ...(fixed.length > 0 ? [`query: map[string]string{${fixed.join(', ')}}`] : []),
    ...(sends === 'query' ? (params === undefined ? [] : ['query: params']) : [`body: ${content}`]),
    ...(sends === 'upload' ? ['file: params.Bytes', 'isUpload: true'] : []),
    ...(TRIES[call.repeat] === '' ? [] : [TRIES[call.repeat]]),
    ...(call.repeat === 'keyed' ? ['key: params.IdempotencyKey'] : []),
  ].join(', ');
  const result = goName(list?.item ?? call.answer);
  return [
    comment(`${name} ${thirdPerson(call.summary)}. ${call.description}`, ''),
    `func (${receiver}) ${name}(${given}) ${list ? `*Iterator[${result}]` : `(*${result}, error)`} {\n`,
    list
      ? `\treturn list[${result}](${transport}, request{${request}}, "${list.field}")\n}\n`
      : `\treturn call[${result}](ctx, ${transport}, request{${request}})\n}\n`,
  ].join('');
}

/** `Create or replace a pool` becomes `creates or replaces a pool`. */
function thirdPerson(summary: string): string {
  const [, first = '', second, rest = ''] = /^(\w+)(?: or (\w+))?(.*)$/.exec(summary) ?? [];
  const inflected = [first, ...(second === undefined ? [] : [second])].map((verb) =>
    verb.replace(/(o|ch|sh|s|x)$/, '$1e').replace(/$/, 's'),
  );
  return inflected.join(' or ').replace(/^./, (letter) => letter.toLowerCase()) + rest;
}

function typesOf({ types, calls, events }: ClientModel): string {
  const answers = new Set(calls.map(({ answer, list }) => list?.item ?? answer));
  const shown = types.filter(({ name, isRequest }) => !(isRequest && name.endsWith('Request')));
  const about = new Map(events.map(({ type, data }) => [data, `is the data of the event "${type}".`]));
  const blocks = shown.map((type) => typeStruct(type, answers.has(type.name), about.get(type.name)));
  const cases = events.map(({ type, data }) => `\tcase "${type}":\n\t\treturn new(${goName(data)})\n`);
  return [
    `${MARK}import "time"\n`,
    ...blocks,
    `// newData returns a pointer to the data of an event, or nil for an unknown type.`,
    `func newData(event string) any {\n\tswitch event {\n${cases.join('')}\t}\n\treturn nil\n}\n`,
  ].join('\n');
}

function typeStruct({ name, isRequest, fields }: ObjectType, isAnswer: boolean, about = 'is an object of the API.') {
  const rows = fields.map((field) => fieldRow(field, isRequest ? 'request' : 'answer'));
  const text = isAnswer ? 'is an answer of the API.' : about;
  const response = isAnswer ? '\tResponse\n\n' : '';
  return `// ${goName(name)} ${text}\ntype ${goName(name)} struct {\n${response}${struct(rows)}}\n`;
}

type Use = 'request' | 'change' | 'answer';
interface Row {
  readonly cells: readonly string[];
  readonly description: string;
}

const row = (name: string, type: string, tag: string, description: string): Row => ({
  cells: [name, type, `\`json:"${tag}"\``],
  description,
});

function fieldRow(field: Field, use: Use): Row {
  const { name, type, isRequired, isNullable } = field;
  const isOptional = use === 'answer' ? isNullable || !isRequired : !isRequired;
  const go = goType(type);
  const isPointer = isOptional && (POINTERS[use].test(go) || type.kind === 'object');
  const values = type.kind === 'enum' ? type.values.map((value) => `"${value}"`).join(', ') : '';
  const known = values === '' ? '' : ` Values: ${values}.`;
  const empty = isPointer || /^[[m]/.test(go) ? 'nil' : 'empty';
  const said = field.description.replaceAll('`null`', empty).trim();
  const tag = use === 'answer' || isRequired ? name : `${name},omitempty`;
  return row(goName(name), (isPointer ? '*' : '') + go, tag, `${said}${known}`.trim());
}

/** Types whose zero value has a meaning of its own. A flag of an answer is absent where it is false. */
const POINTERS: Readonly<Record<Use, RegExp>> = {
  request: /^(int64|float64|bool|time\.Time)$/,
  change: /^(string|int64|float64|bool|time\.Time)$/,
  answer: /^(int64|float64|time\.Time)$/,
};

function goType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `[]${goType(type.of)}`;
    case 'map':
      return `map[string]${goType(type.of)}`;
    case 'object':
      return goName(type.name);
    default:
      return {
        any: 'any',
        boolean: 'bool',
        enum: 'string',
        integer: 'int64',
        number: 'float64',
        text: 'string',
        time: 'time.Time',
      }[type.kind];
  }
}

function codesOf({ errorCodes }: ClientModel): string {
  const rows = errorCodes.map((code) => [`Code${goName(code)}`, 'ErrorCode', `= "${code}"`]);
  return `${MARK}// Reasons of the API's refusals.\nconst (\n${aligned(rows)})\n`;
}

/** Fields whose columns are aligned as far as no comment is between them. */
function struct(rows: readonly Row[]): string {
  const runs: Row[][] = [];
  for (const one of rows) {
    if (one.description === '' && runs.length > 0) runs.at(-1)?.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => comment(run[0]?.description ?? '', '\t') + aligned(run.map(({ cells }) => cells))).join('');
}

function aligned(rows: readonly (readonly string[])[], indent = '\t'): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' ')
      .trimEnd(),
  );
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** Go's comments have no markup for code. */
function comment(text: string, indent: string): string {
  if (text === '') return '';
  return wrapped(text.replaceAll('`', ''), COMMENT_CHARACTERS)
    .map((line) => `${indent}// ${line}\n`)
    .join('');
}
