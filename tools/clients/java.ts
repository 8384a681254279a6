import type { Call, Emitter, Field, ObjectType, Type } from './model.js';
import { camel, pascal, wrapped } from './text.js';

const MARK = '// Generated from the contract by `npm run -s docs:sdk`.\npackage io.pennytext;\n';
const FOLDER = 'src/generated/java/io/pennytext';
const COLUMNS = 110;
const KEYWORDS = ['default', 'switch'];
const CLASSES = {
  any: 'Object',
  boolean: 'Boolean',
  enum: 'String',
  integer: 'Long',
  number: 'Double',
  text: 'String',
};
const KEY =
  'Sets your own key, which also recognizes a repetition by another process. Each call has a random key without it.';
/** Writes the answers, requests, calls and error codes of the Java client, each class in a file of its name. */
export const java: Emitter = ({ types, calls, errorCodes, events }) => {
  const groups = [...new Set(calls.flatMap(({ group }) => group ?? []))];
  const classes = [
    ...types.filter(({ isRequest }) => !isRequest).map(answerClass),
    ...types.filter(({ name, isRequest }) => isRequest && !name.endsWith('Request')).map(requestClass),
    ...requestsOf(calls).map(requestClass),
    ...[undefined, ...groups].flatMap((group) =>
      [true, false].map((isAsync) => callsClass(calls, groups, group, isAsync)),
    ),
    ['ErrorCodes', codesClass(errorCodes)] as const,
    ['Events', eventsClass(events)] as const,
  ];
  return Object.fromEntries(classes.map(([name, text]) => [`${FOLDER}/${name}.java`, text]));
};

type Class = readonly [name: string, text: string];

function answerClass({ name, fields }: ObjectType): Class {
  const constructor = `    ${name}(Map<String, Object> fields) {\n        super(fields);\n    }\n`;
  const readers = fields.map((field) => {
    const canBeNull = !['list', 'map'].includes(field.type.kind) && (field.isNullable || !field.isRequired);
    const said = [sentences(field), canBeNull ? 'May be null.' : ''].join(' ').trim();
    return `${comment(said)}    public ${javaType(field.type)} ${javaName(field.name)}() {
        return ${readOf(field.type, `"${field.name}"`)};\n    }\n`;
  });
  const imports = ['java.util.Map', ...importsOf(fields)];
  return [
    name,
    file(imports, `public final class ${name} extends Value {\n${[constructor, ...readers].join('\n')}}\n`),
  ];
}

interface RequestType extends Pick<ObjectType, 'name' | 'fields'> {
  readonly about?: string;
  readonly isKeyed?: boolean;
  readonly isUpload?: boolean;
}

function requestClass({ name, fields, about, isKeyed, isUpload }: RequestType): Class {
  const setter = (said: string, type: string, named: string, body: string) =>
    `${comment(said)}    public ${name} ${named}(${type} ${named}) {\n        ${body};\n        return this;\n    }\n`;
  const methods = fields.map((field) => {
    const named = javaName(field.name);
    return setter(sentences(field), argumentType(field.type), named, `set("${field.name}", ${named})`);
  });
  if (isUpload) methods.unshift(setter('Sets the bytes of the file.', 'byte[]', 'file', 'this.file = file'));
  if (isKeyed) methods.push(setter(KEY, 'String', 'idempotencyKey', 'this.idempotencyKey = idempotencyKey'));
  const text = `public final class ${name} extends Request {\n${methods.join('\n')}}\n`;
  return [name, file(importsOf(fields), comment(about ?? 'A part of requests.', '') + text)];
}

/** Arguments of calls. Calls with the same body, such as the price of a message and its sending, share a class. */
function requestsOf(calls: readonly Call[]): RequestType[] {
  const withArguments = calls.filter((call) => call.arguments.length > 0 && requestName(call, calls).isFirst);
  return withArguments.map((call) => ({
    name: requestName(call, calls).name,
    fields: call.arguments,
    about: `Arguments of {@link ${callsName(call.group, false)}#${camel(call.method)}}.`,
    isKeyed: call.repeat === 'keyed',
    isUpload: call.sends === 'upload',
  }));
}

function requestName(call: Call, calls: readonly Call[]): { readonly name: string; readonly isFirst: boolean } {
  const shape = JSON.stringify(call.arguments);
  const first = calls.find((one) => one.sends === 'body' && JSON.stringify(one.arguments) === shape) ?? call;
  const named = call.sends === 'body' ? first : call;
  return { name: `${pascal(named.group ?? '')}${pascal(named.method)}Request`, isFirst: named === call };
}

const callsName = (group: string | undefined, isAsync: boolean) =>
  `${pascal(group ?? 'pennytext')}${isAsync ? 'Async' : ''}Calls`;

function callsClass(calls: readonly Call[], groups: readonly string[], group?: string, isAsync = false): Class {
  const name = callsName(group, isAsync);
  const [type, field] = isAsync ? ['Transport', 'transport'] : [callsName(group, true), 'async'];
  const parts = [
    `    final ${type} ${field};\n`,
    `    ${name}(${type} ${field}) {\n        this.${field} = ${field};\n    }\n`,
    ...(group ? [] : groups.map((one) => accessor(one, isAsync))),
    ...calls.filter((call) => call.group === group).flatMap((call) => methodsOf(call, calls, isAsync)),
  ];
  const about = isAsync ? 'Calls with futures, whose cancellation ends the call.' : 'Calls of {@link Pennytext}.';
  const imports = isAsync ? ['java.util.concurrent.CompletableFuture'] : [];
  const modifiers = group || isAsync ? 'public final' : 'public';
  return [name, file(imports, `${comment(about, '')}${modifiers} class ${name} {\n${parts.join('\n')}}\n`)];
}

function accessor(group: string, isAsync: boolean): string {
  const given = isAsync ? 'transport' : `async.${camel(group)}()`;
  const name = callsName(group, isAsync);
  return `    public ${name} ${camel(group)}() {\n        return new ${name}(${given});\n    }\n`;
}

/** A call, and for arguments that are all optional also the call without them. */
function methodsOf(call: Call, calls: readonly Call[], isAsync: boolean): string[] {
  const { ids, list, arguments: fields } = call;
  const name = camel(call.method);
  const item = list?.item ?? call.answer;
  const of = list ? `${isAsync ? 'Page' : 'Pages'}<${item}>` : item;
  const type = isAsync ? `CompletableFuture<${of}>` : of;
  const idsGiven = ids.map((id) => `String ${camel(id)}`);
  const about = isAsync
    ? `{@link ${callsName(call.group, false)}#${name}}, as a future.`
    : [`${call.summary}.`, prose(call.description)].join('\n\n<p>');
  const written = (given: readonly string[], body: string) =>
    `${comment(about)}    public ${type} ${name}(${given.join(', ')}) {\n        return ${body};\n    }\n`;
  const withRequest = [...idsGiven, ...(fields.length > 0 ? [`${requestName(call, calls).name} request`] : [])];
  const passed = [...ids.map(camel), ...(fields.length > 0 ? ['request'] : [])].join(', ');
  const sync = `async.${name}(${passed})`;
  const body = isAsync ? requestOf(call) : list ? `new Pages<>(() -> ${sync})` : `Call.await(${sync})`;
  const short = fields.length > 0 && fields.every((field) => !field.isRequired) && call.sends === 'query';
  const nothing = `${name}(${[...ids.map(camel), `new ${requestName(call, calls).name}()`].join(', ')})`;
  return [...(short ? [written(idsGiven, nothing)] : []), written(withRequest, body)];
}

function requestOf({ http, ids, fixed, list, repeat, answer, arguments: fields }: Call): string {
  const query = Object.entries(fixed).map(([name, value]) => `${name}=${value}`);
  const path = [http.path, ...query]
    .join('?')
    .replaceAll(/\{(\w+)\}/g, (_all, id: string) =>
      ids.includes(id) ? `" + Transport.segment(${camel(id)}) + "` : id,
    );
  const address = `"${path}"`.replace(/ \+ ""$/, '');
  const request = fields.length > 0 ? 'request' : 'null';
  if (list) return `transport.list(${address}, ${request},\n            "${list.field}", ${list.item}::new)`;
  const repeated = `Call.Repeat.${repeat.toUpperCase()}`;
  return `transport.call("${http.method}", ${address}, ${request},\n            ${repeated}, ${answer}::new)`;
}

function codesClass(codes: readonly string[]): string {
  const fields = codes.map((code) => `    public static final String ${code.toUpperCase()} = "${code}";\n`);
  const about = comment('Codes of {@link PennytextException#code}. The API can have others, which are newer.', '');
  return file(
    [],
    `${about}public final class ErrorCodes {\n${fields.join('')}\n    private ErrorCodes() {\n    }\n}\n`,
  );
}

function eventsClass(events: readonly { readonly type: string; readonly data: string }[]): string {
  const entries = events.map(({ type, data }) => `        Map.entry("${type}", ${data}::new)`);
  const type = 'Map<String, Function<Map<String, Object>, Value>>';
  const map = `    static final ${type} TYPES = Map.ofEntries(\n${entries.join(',\n')});\n`;
  const about = comment('The classes of the data of webhooks.', '');
  const imports = ['java.util.Map', 'java.util.function.Function'];
  return file(imports, `${about}final class Events {\n${map}\n    private Events() {\n    }\n}\n`);
}

function file(imports: readonly string[], text: string): string {
  const lines = [...new Set(imports)].sort().map((name) => `import ${name};\n`);
  return [MARK, ...(lines.length > 0 ? [lines.join('')] : []), text].join('\n');
}

const javaName = (name: string) => camel(name) + (KEYWORDS.includes(name) ? '_' : '');

function javaType(type: Type): string {
  if (type.kind === 'list') return `List<${javaType(type.of)}>`;
  if (type.kind === 'map') return `Map<String, ${javaType(type.of)}>`;
  if (type.kind === 'object') return type.name;
  return type.kind === 'time' ? 'OffsetDateTime' : CLASSES[type.kind];
}

/** Lists of maps take `List.of(Map.of("to", "+12025550142"))`, whose values are texts alone. */
const argumentType = (type: Type) =>
  javaType(type).replace('List<Map<String, Object>>', 'List<? extends Map<String, ?>>');

function importsOf(fields: readonly Field[]): string[] {
  const types = fields.map(({ type }) => argumentType(type)).join(' ');
  return [
    ...(types.includes('OffsetDateTime') ? ['java.time.OffsetDateTime'] : []),
    ...(types.includes('List<') ? ['java.util.List'] : []),
    ...(types.includes('Map<') ? ['java.util.Map'] : []),
  ];
}

function readOf(type: Type, name: string): string {
  if (type.kind === 'time') return `time(${name})`;
  if (type.kind === 'number') return `decimal(${name})`;
  if (type.kind === 'object') return `object(${name}, ${type.name}::new)`;
  if (type.kind === 'list' && type.of.kind === 'object') return `objects(${name}, ${type.of.name}::new)`;
  if (type.kind === 'list' || type.kind === 'map') return `${type.kind}(${name}, ${javaType(type.of)}.class)`;
  return `get(${name}, ${javaType(type)}.class)`;
}

function sentences({ description, type }: Field): string {
  const values = type.kind === 'enum' ? `Values: ${type.values.map((value) => `{@code ${value}}`).join(', ')}.` : '';
  return [prose(description), values].join(' ').trim();
}

/** Javadoc's markup of Markdown. */
function prose(markdown: string): string {
  const escaped = markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
  return escaped.replaceAll(/`([^`]+)`/g, (_all, code: string) => `{@code ${unescaped(code)}}`);
}

const unescaped = (code: string) =>
  code.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#64;', '@').replaceAll('&amp;', '&');

function comment(text: string, indent = '    '): string {
  if (text === '') return '';
  // A code stays on one line.
  const joined = text.replaceAll(/\{@\w+ [^}]*\}/g, (code) => code.replaceAll(' ', '\u2060'));
  const paragraphs = joined.split('\n\n').map((part) => wrapped(part, COLUMNS - indent.length));
  const lines = paragraphs.flatMap((part, n) => (n === 0 ? part : ['', ...part]));
  const [only = ''] = lines;
  const written =
    lines.length === 1 ? `/** ${only} */\n` : ['/**', ...lines.map((one) => ` * ${one}`.trimEnd()), ' */\n'].join('\n');
  return written.replaceAll('\u2060', ' ').replaceAll(/^(?=.)/gm, indent);
}
