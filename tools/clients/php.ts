import type { Call, ClientModel, Field, ObjectType, Type } from './model.js';
import { camel, pascal, wrapped } from './text.js';

/** Texts whose parameters take numbers, which the client refuses: PHP would convert them, without plus and zeros. */
const CHECKED_TEXTS = ['to', 'from', 'otp', 'otp_id', 'code', 'number'];
const CLIENT_CODES = ['unreachable', 'connection_failed', 'timed_out', 'invalid_answer', 'invalid_webhook'];
const SCALARS = { text: 'string', enum: 'string', integer: 'int', number: 'float', boolean: 'bool', any: 'mixed' };
const NATIVE = { ...SCALARS, time: '\\DateTimeImmutable', list: 'array', map: 'array' };
const IMPORTS = ['Answer', 'Internal\\Arguments', 'Internal\\Repeat', 'Internal\\Transport', 'Model', 'Pages'];
const TRANSPORT = 'private readonly Transport $transport';
const KEY_ABOUT = 'Your own key, so that a repetition by another process is recognized too; random unless you set it.';

/** Writes the classes of answers, the calls by their groups, and the codes of errors and events, for PHP. */
export function phpClient({ types, calls, errorCodes, events }: ClientModel): Readonly<Record<string, string>> {
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))];
  const callsOf = (group?: string) => calls.filter((call) => call.group === group).map((call) => method(call, types));
  const properties = groups.map((group) => `    public readonly Calls\\${pascal(group)} $${group};\n`);
  const sets = groups.map((group) => `        $this->${group} = new Calls\\${pascal(group)}($transport);\n`);
  const members = [properties.join(''), constructor(TRANSPORT, sets), ...callsOf()];
  const codes = [...CLIENT_CODES, ...errorCodes].map((code) => constant(code, code));
  const eventTypes = events.map(({ type, summary }) => `${comment([`${summary}.`])}${constant(type, type)}`);
  const classes = events.map(({ type, data }) => `        '${type}' => Model\\${data}::class,\n`);
  const data = `${comment(['Classes of the data of events.'])}    public const DATA = [\n${classes.join('')}    ];\n`;
  return Object.fromEntries([
    ...types.filter((type) => !type.isRequest).map((type) => answerFile(type, types)),
    ...groups.map((group) => {
      const head = `/** Calls of \`$client->${group}\`. */\nfinal class ${pascal(group)}`;
      return file('Calls/', head, [constructor(TRANSPORT, []), ...callsOf(group)]);
    }),
    file('', '/** Calls of the client. */\nabstract class Calls', members),
    file('', '/** Codes of PennytextException. */\nfinal class ErrorCode', [codes.join('')]),
    file('', '/** Types of webhooks. */\nfinal class EventType', [eventTypes.join(''), data]),
  ]);
}

/** The path and the text of a class. */
function file(folder: 'Calls/' | 'Model/' | '', head: string, members: readonly string[]): [string, string] {
  const body = `${head}\n{\n${members.filter((member) => member !== '').join('\n')}}\n`;
  const isUsed = (name: string) => new RegExp(`(?<![\\\\\\w])${name.replace(/.*\\/, '')}[\\\\:<(\\s]`).test(body);
  const foreign = IMPORTS.filter((name) => folder !== '' || name.includes('\\'));
  const imports = foreign.filter(isUsed).map((name) => `use Pennytext\\${name};\n`);
  const top = '<?php\n\n// Generated from the contract by `npm run -s docs:sdk`.\n\ndeclare(strict_types=1);\n';
  const namespace = `namespace ${`Pennytext/${folder}`.replace(/\/$/, '').replace('/', '\\')};\n`;
  const text = [top, namespace, imports.join(''), body].filter((part) => part !== '').join('\n');
  return [`src/${folder}${/class (\w+)/.exec(head)?.[1]}.php`, text];
}

/** A doc comment of paragraphs and tags, for a member of a class. */
function comment(paragraphs: readonly string[], tags: readonly string[] = []): string {
  const texts = paragraphs.filter((text) => text !== '').map((text) => wrapped(text.replaceAll('*/', '* /'), 109));
  const hung = tags.flatMap((tag) => wrapped(tag, 109).map((line, n) => (n === 0 ? line : `    ${line}`)));
  const parts = [...texts, hung].filter((part) => part.length > 0);
  const lines = parts.flatMap((part, n) => (n === 0 ? part : ['', ...part]));
  if (lines.length === 1) return `    /** ${lines[0]} */\n`;
  return `    /**\n${lines.map((line) => `     * ${line}`.trimEnd()).join('\n')}\n     */\n`;
}

const constructor = (parameter: string, lines: readonly string[], tag = '@internal') =>
  `${comment([], [tag])}    public function __construct(${parameter})\n    {\n${lines.join('')}    }\n`;

/** The type as PHP checks it itself. */
const nativeType = (type: Type) => (type.kind === 'object' ? type.name : NATIVE[type.kind]);

/** The type as editors read it. Objects of requests are arrays, whose keys are the API's names. */
function documentedType(type: Type, types: readonly ObjectType[]): string {
  if (type.kind === 'list') return `list<${documentedType(type.of, types)}>`;
  if (type.kind === 'map') return `array<string, ${documentedType(type.of, types)}>`;
  const request = types.find((one) => one.isRequest && type.kind === 'object' && one.name === type.name);
  if (!request) return nativeType(type);
  const fields = request.fields.map(
    (field) => `${field.name}${field.isRequired ? '' : '?'}: ${documentedType(field.type, types)}`,
  );
  return `array{${fields.join(', ')}}`;
}

/** Every property may be null, as an answer may lack any field; its comment names the type that the API promises. */
function answerFile({ name, fields }: ObjectType, types: readonly ObjectType[]): [string, string] {
  const properties = fields.map(({ name: field, description, type, isRequired, isNullable }) => {
    const promised = `${documentedType(type, types)}${isRequired && !isNullable ? '' : '|null'}`;
    const declared = `public readonly ?${nativeType(type)} $${camel(field)};`;
    return `${comment([description], [`@var ${promised}`])}    ${declared}\n`;
  });
  const reads = fields.map((field) => `        $this->${camel(field.name)} = ${reader(field)};\n`);
  const constants = fields.flatMap(({ name: field, type }) => {
    const one = type.kind === 'list' ? type.of : type;
    return one.kind === 'enum' ? one.values.map((value) => constant(`${field}_${value}`, value)) : [];
  });
  const lines = ['        parent::__construct($fields);\n', ...reads];
  const last = constructor('array $fields', lines, '@param array<string, mixed> $fields');
  return file('Model/', `final class ${name} extends Answer`, [constants.join(''), ...properties, last]);
}

function reader({ name, type }: Field): string {
  if (type.kind === 'object') return `$this->object('${name}', ${type.name}::class)`;
  if (type.kind === 'list' && type.of.kind === 'object') return `$this->objects('${name}', ${type.of.name}::class)`;
  return `$this->${type.kind === 'time' ? 'time' : NATIVE[type.kind]}('${name}')`;
}

const constant = (name: string, value: string) =>
  `    public const ${name.replace(/\W/g, '_').toUpperCase()} = '${value}';\n`;

function method(call: Call, types: readonly ObjectType[]): string {
  const optional = { type: { kind: 'text' }, isRequired: false, isNullable: true } as const;
  const all: Field[] = [
    ...call.ids.map((name): Field => ({ ...optional, name, description: '', isRequired: true })),
    ...(call.sends === 'upload' ? [{ ...optional, name: 'bytes', description: 'The file, in place of `url`.' }] : []),
    ...call.arguments,
    ...(call.repeat === 'keyed' ? [{ ...optional, name: 'idempotency_key', description: KEY_ABOUT }] : []),
  ];
  const parameters = [...all.filter((one) => one.isRequired), ...all.filter((one) => !one.isRequired)];
  const returned = call.list ? `@return Pages<Model\\${call.list.item}>` : '@throws \\Pennytext\\PennytextException';
  const tags = parameters.map(({ name, type, description, isRequired }) =>
    `@param ${given(documentedType(type, types))}${isRequired ? '' : '|null'} $${camel(name)} ${description}`.trimEnd(),
  );
  const declared = parameters.map(({ name, type, isRequired }) => {
    const isChecked = CHECKED_TEXTS.includes(name) || call.ids.includes(name);
    const native = isChecked ? 'string|int|float' : given(nativeType(type));
    const secret = name === 'otp' || name === 'code' ? '#[\\SensitiveParameter] ' : '';
    const nullable = isChecked ? `${native}|null` : `?${native}`;
    return `        ${secret}${isRequired ? native : nullable} $${camel(name)}${isRequired ? '' : ' = null'},\n`;
  });
  const list = declared.length > 0 ? `\n${declared.join('')}    ` : '';
  const answer = call.list ? 'Pages' : `Model\\${call.answer}`;
  const start = `    public function ${camel(call.method)}(${list}): ${answer}${list === '' ? '\n    {' : ' {'}`;
  return `${comment([`${call.summary}.`, call.description], [...tags, returned])}${start}\n${bodyOf(call)}    }\n`;
}

const given = (type: string) => type.replace('DateTimeImmutable', 'DateTimeInterface');

function bodyOf({ http, fixed, arguments: fields, list, sends, repeat, answer }: Call): string {
  const path = http.path.replace(/\{(\w+)\}/g, (_all, id: string) => `' . Arguments::id($${camel(id)}) . '`);
  const to = `'${path}'`.replace(/ \. ''$/, '');
  const sent = [
    ...Object.entries(fixed).map(([name, value]) => `                '${name}' => '${value}',\n`),
    ...fields.map(({ name }) => `                '${name}' => $${camel(name)},\n`),
  ];
  const array = sent.length > 0 ? `[\n${sent.join('')}            ]` : '[]';
  const listed = [`$this->transport`, to, array, `'${list?.field}'`, `Model\\${list?.item}::class`];
  const called = [
    `'${http.method}'`,
    to,
    ...(sends === 'query' ? (sent.length > 0 ? [`query: ${array}`] : []) : [`body: ${array}`]),
    ...(sends === 'upload' ? ['file: $bytes'] : []),
    ...(repeat === 'free' ? [] : [`repeat: Repeat::${pascal(repeat)}`]),
    ...(repeat === 'keyed' ? ['idempotencyKey: $idempotencyKey'] : []),
  ];
  const lines = (list ? listed : called).map((one) => `            ${one},\n`).join('');
  const [start, end] = list ? ['new Pages(', ')'] : [`new Model\\${answer}($this->transport->call(`, '))'];
  return `        return ${start}\n${lines}        ${end};\n`;
}
