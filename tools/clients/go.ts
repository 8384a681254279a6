import type { Call, ClientModel, Field, ObjectType, Type } from './model.js';
import { camel, pascal, wrapped } from './text.js';

const MARK = '// Code generated from the contract by `npm run -s docs:sdk`. DO NOT EDIT.\n\npackage pennytext\n';
const COMMENT_CHARACTERS = 100;
const KEY =
  'Your own key, which also recognizes a repetition by another process. If empty, each call has a random key.';

/** Spellings of words in names, where they differ from `Word`. */
const WORDS = ['API', 'ID', 'IDs', 'IP', 'OptOuts', 'OTP', 'OTPs', 'SHA256', 'SMS', 'TOTP', 'URL'];
const TYPES = { any: 'any', boolean: 'bool', enum: 'string', integer: 'int64', number: 'float64', text: 'string' };

/** `message_id` and `OtpGuard` become `MessageID` and `OTPGuard`. */
export const goName = (name: string) =>
  pascal(name).replaceAll(/[A-Z][a-z0-9]*/g, (word) => WORDS.find((one) => pascal(one.toLowerCase()) === word) ?? word);

/** Writes the types, calls and error codes of the Go client as gofmt does. */
export function emitGo(model: ClientModel): Readonly<Record<string, string>> {
  const emitter = new GoEmitter(model);
  const codes = model.errorCodes.map((code) => [`Code${goName(code)}`, 'ErrorCode', `= "${code}"`]);
  return {
    'calls.go': emitter.calls(),
    'codes.go': `${MARK}\n// Reasons of the API's refusals.\nconst (\n${aligned(codes)})\n`,
    'types.go': emitter.types(),
  };
}

/** A field of a struct: its name, type and tag, and its comment. */
interface Row {
  readonly cells: readonly string[];
  readonly text: string;
}

class GoEmitter {
  /** Names in Go of the fields and error codes that descriptions mention. */
  private readonly names: ReadonlyMap<string, string>;

  constructor(private readonly model: ClientModel) {
    const fields = [...model.types.flatMap((type) => type.fields), ...model.calls.flatMap((call) => call.arguments)];
    this.names = new Map([
      ...model.errorCodes.map((code) => [code, `Code${goName(code)}`] as const),
      // A word alone may be a value.
      ...fields.flatMap(({ name }) => (name.includes('_') ? [[name, goName(name)] as const] : [])),
    ]);
  }

  calls(): string {
    const { calls } = this.model;
    const groups = [...new Set(calls.flatMap(({ group }) => (group === undefined ? [] : goName(group))))];
    const made = [['transport:', 'transport,'], ...groups.map((name) => [`${name}:`, `&${name}Service{transport},`])];
    const fields = [['transport', '*transport'], ...groups.map((name) => [name, `*${name}Service`])];
    // Calls with the same arguments, such as the price of a message and its sending, take values of one type.
    const structs = new Map<string, string>();
    const blocks = calls.flatMap((call) => {
      if (call.arguments.length === 0) return [this.method(call, '')];
      const name = `${goName(call.group ?? '')}${goName(call.method)}Params`;
      const same = structs.get(JSON.stringify(call.arguments));
      structs.set(JSON.stringify(call.arguments), same ?? name);
      const alias = `// ${name} are ${same}.\ntype ${name} = ${same}\n`;
      return [same === undefined ? this.params(name, call) : alias, this.method(call, name)];
    });
    return [
      `${MARK}\nimport (\n\t"context"\n\t"net/url"\n\t"time"\n)\n`,
      `// Client makes the calls of the API. NewClient returns one.\ntype Client struct {\n${aligned(fields)}}\n`,
      `func newClient(transport *transport) *Client {\n\treturn &Client{\n${aligned(made, '\t\t')}\t}\n}\n`,
      ...groups.map(
        (name) => `// ${name}Service is a part of Client.\ntype ${name}Service struct{ transport *transport }\n`,
      ),
      ...blocks,
    ].join('\n');
  }

  types(): string {
    const { types, calls, events } = this.model;
    const answers = calls.map(({ answer, list }) => list?.item ?? answer);
    const shown = types.filter(({ name, isRequest }) => !(isRequest && name.endsWith('Request')));
    const cases = events.map(({ type, data }) => `\tcase "${type}":\n\t\treturn new(${goName(data)})\n`).join('');
    return [
      `${MARK}\nimport "time"\n`,
      ...shown.map((type) => this.type(type, answers.includes(type.name))),
      '// newData returns a pointer to the data of an event, or nil for an unknown type.',
      `func newData(event string) any {\n\tswitch event {\n${cases}\t}\n\treturn nil\n}\n`,
    ].join('\n');
  }

  private type({ name, isRequest, fields }: ObjectType, isAnswer: boolean): string {
    const event = this.model.events.find(({ data }) => data === name);
    const what = event
      ? `the data of the event "${event.type}"`
      : isAnswer
        ? 'an answer of the API'
        : 'a part of requests or answers';
    const rows = fields.map((field) => this.row(field, isRequest ? 'request' : 'answer'));
    const response = isAnswer ? '\tResponse\n\n' : '';
    return `// ${goName(name)} is ${what}.\ntype ${goName(name)} struct {\n${response}${struct(rows)}}\n`;
  }

  private params(name: string, { method, group, arguments: fields, http, sends, repeat }: Call): string {
    const rows = fields.map((field) => this.row(field, http.method === 'PATCH' ? 'change' : 'request'));
    if (sends === 'upload') rows.unshift(rowOf('Bytes', '[]byte', '-', 'The file. If nil, the service fetches URL.'));
    if (repeat === 'keyed') rows.push(rowOf('IdempotencyKey', 'string', '-', KEY));
    const owner = group === undefined ? 'Client' : `${goName(group)}Service`;
    return `// ${name} are the arguments of ${owner}.${goName(method)}.\ntype ${name} struct {\n${struct(rows)}}\n`;
  }

  private method({ list, http, ids, fixed, sends, repeat, ...call }: Call, params: string): string {
    const name = goName(call.method);
    const receiver = call.group === undefined ? 'c *Client' : `s *${goName(call.group)}Service`;
    const client = `${receiver.charAt(0)}.transport`;
    const segments = ids.map((id) => camel(id).replace(/Id$/, 'ID'));
    const given = [...(list ? [] : ['ctx context.Context']), ...segments.map((id) => `${id} string`)];
    const path = http.path.replaceAll(/\{\w+\}/g, () => `" + url.PathEscape(${segments.shift()}) + "`);
    const constants = Object.entries(fixed).map(([key, value]) => `"${key}": "${value}"`);
    const query = constants.length > 0 ? `map[string]string{${constants.join(', ')}}` : params && 'params';
    const request = [
      ['method:', `"${http.method}",`],
      ['path:', `"${path}",`.replace(' + ""', '')],
      ...(sends === 'query'
        ? query === ''
          ? []
          : [['query:', `${query},`]]
        : [['body:', params ? 'params,' : 'struct{}{},']]),
      ...(sends === 'upload'
        ? [
            ['file:', 'params.Bytes,'],
            ['isUpload:', 'true,'],
          ]
        : []),
      ...(repeat === 'free' ? [] : [['repeat:', `${repeat},`]]),
      ...(repeat === 'keyed' ? [['key:', 'params.IdempotencyKey,']] : []),
    ];
    const result = goName(list?.item ?? call.answer);
    const [type, start, end] = list
      ? [`*Iterator[${result}]`, `list[${result}](${client}, request{`, `}, "${list.field}")`]
      : [`(*${result}, error)`, `call[${result}](ctx, ${client}, request{`, '})'];
    return [
      comment(`${name} ${thirdPerson(call.summary)}.`, ''),
      `//\n${comment(this.prose(call.description), '')}`,
      `func (${receiver}) ${name}(${[...given, ...(params ? [`params ${params}`] : [])].join(', ')}) ${type} {\n`,
      `\treturn ${start}\n${aligned(request, '\t\t')}\t${end}\n}\n`,
    ].join('');
  }

  private row({ name, type, description, isRequired, isNullable }: Field, use: 'request' | 'change' | 'answer'): Row {
    const go = goType(type);
    const isOptional = !isRequired || (use === 'answer' && isNullable);
    // The zero value is an optional text that is not given, and the flag of an answer that is absent.
    const isZeroNone =
      go === 'string'
        ? use !== 'change'
        : type.kind === 'boolean'
          ? use === 'answer' && !type.isNeverTrue
          : /^(\[\]|map|any)/.test(go);
    const isPointer = isOptional && !isZeroNone;
    const values = type.kind === 'enum' ? type.values : [];
    const text = [description, values.length > 0 ? `Values: ${values.map((value) => `\`${value}\``).join(', ')}.` : ''];
    const none = go === 'string' && !isPointer ? 'empty' : 'nil';
    const said = this.prose(text.join(' ').trim().replaceAll('`null`', none), values);
    const tag = use === 'answer' || isRequired ? name : `${name},omitempty`;
    return rowOf(goName(name), isPointer ? `*${go}` : go, tag, said);
  }

  /** Go's comments have no markup for code: values are quoted, and fields have their names in Go. */
  private prose(markdown: string, values: readonly string[] = []): string {
    return markdown.replaceAll(/`([^`]+)`/g, (_all, code: string) =>
      values.includes(code) ? `"${code}"` : (this.names.get(code) ?? code),
    );
  }
}

const rowOf = (name: string, type: string, tag: string, text: string): Row => ({
  cells: [name, type, `\`json:"${tag}"\``],
  text,
});

function goType(type: Type): string {
  if (type.kind === 'list') return `[]${goType(type.of)}`;
  if (type.kind === 'map') return `map[string]${goType(type.of)}`;
  if (type.kind === 'object') return goName(type.name);
  return type.kind === 'time' ? 'time.Time' : TYPES[type.kind];
}

/** `Create or replace a pool` becomes `creates or replaces a pool`. */
function thirdPerson(summary: string): string {
  const [verbs = ''] = /^\w+( or \w+)?/.exec(summary) ?? [];
  const inflected = verbs
    .toLowerCase()
    .split(' or ')
    .map((verb) => `${verb.replace(/([^aeiou])y$/, '$1ie').replace(/(o|ch|sh|s|x)$/, '$1e')}s`);
  return inflected.join(' or ') + summary.slice(verbs.length);
}

/** Columns are aligned as far as no comment is between their rows. */
function struct(rows: readonly Row[]): string {
  const runs: Row[][] = [];
  for (const row of rows) {
    if (row.text === '' && runs.length > 0) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs.map((run) => comment(run[0]?.text ?? '', '\t') + aligned(run.map(({ cells }) => cells))).join('');
}

function aligned(rows: readonly (readonly string[])[], indent = '\t'): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' '));
  return lines.map((line) => `${indent}${line.trimEnd()}\n`).join('');
}

function comment(text: string, indent: string): string {
  const lines = text === '' ? [] : wrapped(text, COMMENT_CHARACTERS);
  return lines.map((line) => `${indent}// ${line}\n`).join('');
}
