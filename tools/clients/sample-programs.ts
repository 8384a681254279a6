import { camel, pascal } from './text.js';
import { type Sample, samples, type SampleValue } from './samples.js';

/** Writes the programs of one language. */
interface SampleWriter {
  /** Name of the program's file. */
  readonly file: string;
  readonly program: (sample: Sample) => readonly string[];
}

const HOST = 'https://pennytext.example';
const KEY = 'YOUR_API_KEY';

type Values = Readonly<Record<string, SampleValue>>;
type FileValue = Extract<SampleValue, { readonly kind: 'file' }>;

type ListValue = Extract<SampleValue, readonly unknown[]>;
const isList = (value: SampleValue): value is ListValue => Array.isArray(value);

/** Columns of a line, after which values stand on lines of their own. */
const COLUMNS = 84;

/** `(a, b)`, or a line for each where that is too long to be read. */
function listed(open: string, values: readonly string[], close: string, before = 0, indent = '  '): string {
  const line = `${open}${values.join(', ')}${close}`;
  if (before + line.length <= COLUMNS) return line;
  const lines = values.map((value) => `${value},`.replaceAll('\n', `\n${indent}`));
  return [open.trimEnd(), ...lines.map((one) => indent + one), close.trimStart()].join('\n');
}

function fileOf(given: Values): FileValue | undefined {
  const value = given['file'];
  return typeof value === 'object' && 'kind' in value && value.kind === 'file' ? value : undefined;
}

const hasTime = (given: Values) =>
  Object.values(given).some((value) => typeof value === 'object' && 'kind' in value && value.kind === 'tomorrow');

/** The fields without a file, which is an argument of its own. */
const fieldsOf = ({ file: _file, ...fields }: Values): Values => fields;

const typescript: SampleWriter = {
  file: 'client.mjs',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const literal = (value: SampleValue): string => {
      if (typeof value === 'string') return `'${value}'`;
      if (typeof value === 'number') return String(value);
      if (!isList(value)) return 'tomorrow';
      const items = value.map((one) => fields(one));
      // As oxfmt does, for objects of several fields.
      const isTable = items.length > 1 && value.every((one) => Object.keys(one).length > 1);
      return listed('[', items, ']', isTable ? COLUMNS : 0);
    };
    const fields = (values: Values, before = 0): string => {
      const named = Object.entries(values).map(([name, value]) => `${name}: ${literal(value)}`);
      return listed('{ ', named, ' }', before);
    };
    const file = fileOf(given);
    const own = fieldsOf(given);
    const start = `const { ${prints.join(', ')} } = await client.${call.split('.').map(camel).join('.')}(`;
    const values = [
      ...ids.map((id) => `'${id}'`),
      ...(file ? [`await readFile('${file.name}')`] : []),
      ...(Object.keys(own).length > 0 ? [fields(own, start.length)] : []),
      ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: '${idempotencyKey}' }`]),
    ];
    return [
      ...(file ? ["import { readFile } from 'node:fs/promises';"] : []),
      "import { Pennytext } from 'pennytext';",
      '',
      `const client = new Pennytext({ apiKey: '${KEY}', baseUrl: '${HOST}' });`,
      ...(hasTime(given) ? ['const tomorrow = new Date(Date.now() + 86_400_000).toISOString();'] : []),
      `${start}${idempotencyKey === undefined ? values.join(', ') : listed('', values, '', COLUMNS)});`,
      `console.log(${prints.join(', ')});`,
    ];
  },
};

const text = (value: string) => `"${value}"`;

/** Indentation of PEP 8 and PSR-12. */
const FOUR = '    ';

const python: SampleWriter = {
  file: 'client.py',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const literal = (value: SampleValue): string => {
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return String(value);
      if (!isList(value)) return 'tomorrow';
      const maps = value.map(
        (one) =>
          `{${Object.entries(one)
            .map(([name, field]) => `"${name}": ${literal(field)}`)
            .join(', ')}}`,
      );
      return listed('[', maps, ']', 0, FOUR);
    };
    const file = fileOf(given);
    const values = [
      ...ids.map(text),
      ...(file ? ['photo.read()'] : []),
      ...Object.entries(fieldsOf(given)).map(([name, value]) => `${name}=${literal(value)}`),
      ...(idempotencyKey === undefined ? [] : [`idempotency_key="${idempotencyKey}"`]),
    ];
    const start = `answer = client.${call}(`;
    const made = listed(start, values, ')', 0, FOUR);
    return [
      ...(hasTime(given) ? ['from datetime import datetime, timedelta, timezone', ''] : []),
      'from pennytext import Pennytext',
      '',
      `client = Pennytext(api_key="${KEY}", base_url="${HOST}")`,
      ...(hasTime(given) ? ['tomorrow = datetime.now(timezone.utc) + timedelta(days=1)'] : []),
      ...(file ? [`with open("${file.name}", "rb") as photo:`, `    ${made}`] : [made]),
      `print(${prints.map((name) => `answer.${name}`).join(', ')})`,
    ];
  },
};

const php: SampleWriter = {
  file: 'client.php',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const quoted = (value: string) => `'${value}'`;
    const literal = (value: SampleValue): string => {
      if (typeof value === 'string') return quoted(value);
      if (typeof value === 'number') return String(value);
      if (!isList(value)) return "new DateTimeImmutable('+1 day')";
      const maps = value.map(
        (one) =>
          `[${Object.entries(one)
            .map(([name, field]) => `'${name}' => ${literal(field)}`)
            .join(', ')}]`,
      );
      return listed('[', maps, ']', 0, FOUR);
    };
    const file = fileOf(given);
    const values = [
      ...ids.map(quoted),
      ...(file ? [`file_get_contents('${file.name}')`] : []),
      ...Object.entries(fieldsOf(given)).map(([name, value]) => `${camel(name)}: ${literal(value)}`),
      ...(idempotencyKey === undefined ? [] : [`idempotencyKey: '${idempotencyKey}'`]),
    ];
    return [
      '<?php',
      '',
      "require 'vendor/autoload.php';",
      '',
      `$client = new Pennytext\\Client(apiKey: '${KEY}', baseUrl: '${HOST}');`,
      `${listed(`$answer = $client->${call.split('.').map(camel).join('->')}(`, values, ')', 0, FOUR)};`,
      `print_r([${prints.map((name) => `$answer->${camel(name)}`).join(', ')}]);`,
    ];
  },
};

/** Every object of Ruby has a method `send`. */
const rubyNames: Readonly<Record<string, string>> = { send: 'send_message', 'otp.send': 'otp.send_code' };

const ruby: SampleWriter = {
  file: 'client.rb',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const literal = (value: SampleValue): string => {
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return String(value);
      if (!isList(value)) return 'Time.now + 86_400';
      const maps = value.map(
        (one) =>
          `{ ${Object.entries(one)
            .map(([name, field]) => `${name}: ${literal(field)}`)
            .join(', ')} }`,
      );
      return listed('[', maps, ']');
    };
    const file = fileOf(given);
    const values = [
      ...ids.map(text),
      ...(file ? [`File.binread("${file.name}")`] : []),
      ...Object.entries(fieldsOf(given)).map(([name, value]) => `${name}: ${literal(value)}`),
      ...(idempotencyKey === undefined ? [] : [`idempotency_key: "${idempotencyKey}"`]),
    ];
    const name = rubyNames[call] ?? call;
    return [
      'require "pennytext"',
      '',
      `client = Pennytext::Client.new(api_key: "${KEY}", base_url: "${HOST}")`,
      values.length > 0
        ? listed(`answer = client.${name}(`, values, ')').replace(/,\n\)$/, '\n)')
        : `answer = client.${name}`,
      `puts ${prints.map((field) => `answer.${field}`).join(', ')}`,
    ];
  },
};

/** Initialisms that Go writes in capitals (https://go.dev/wiki/CodeReviewComments#initialisms). */
const goName = (name: string) => pascal(name).replace(/(Id|Otp|Url)(?![a-z])/g, (one) => one.toUpperCase());

/** Types of the objects of a list, where it is not of maps. */
const partTypes: Readonly<Record<string, string>> = { media: 'MediaSource', channels: 'OtpChannel' };

const go: SampleWriter = {
  file: 'client.go',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const lists: string[] = [];
    const literal = (name: string, value: SampleValue): string => {
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return `pennytext.Int(${value})`;
      if (!isList(value)) return 'pennytext.Time(time.Now().Add(24 * time.Hour))';
      const type = partTypes[name];
      const maps = value.map((one) => {
        const pairs = Object.entries(one).map(
          ([key, field]) => `${type ? goName(key) : text(key)}: ${literal(key, field)}`,
        );
        return `\t{${pairs.join(', ')}},\n`;
      });
      lists.push(`${name} := ${type ? `[]pennytext.${goName(type)}` : '[]map[string]any'}{\n${maps.join('')}}`);
      return name;
    };
    const file = fileOf(given);
    const fields = [
      ...Object.entries(fieldsOf(given)).map(([name, value]) => [goName(name), literal(name, value)] as const),
      ...(file ? [['Bytes', 'photo'] as const] : []),
      ...(idempotencyKey === undefined ? [] : [['IdempotencyKey', text(idempotencyKey)] as const]),
    ];
    const width = Math.max(0, ...fields.map(([name]) => name.length));
    const params = fields.map(([name, value]) => `\t${name}:${' '.repeat(width - name.length + 1)}${value},`);
    const name = call.split('.').map(goName).join('.');
    const values = [
      'ctx',
      ...ids.map(text),
      ...(fields.length > 0 ? [`pennytext.${name.replace('.', '')}Params{\n${params.join('\n')}\n}`] : []),
    ];
    const imports = ['context', 'fmt', 'log', ...(file ? ['os'] : []), ...(hasTime(given) ? ['time'] : [])];
    const check = ['if err != nil {', '\tlog.Fatal(err)', '}'];
    const body = [
      'ctx := context.Background()',
      'client, err := pennytext.NewClient(pennytext.Options{',
      `\tAPIKey:  "${KEY}",`,
      `\tBaseURL: "${HOST}",`,
      '})',
      ...check,
      ...(file ? [`photo, err := os.ReadFile("${file.name}")`, ...check] : []),
      ...lists,
      `answer, err := client.${name}(${values.join(', ')})`,
      ...check,
      `fmt.Println(${prints.map((field) => `answer.${goName(field)}`).join(', ')})`,
    ];
    return [
      'package main',
      '',
      'import (',
      ...imports.map((one) => `\t"${one}"`),
      '',
      '\t"pennytext.example/pennytext"',
      ')',
      '',
      'func main() {',
      ...body
        .join('\n')
        .split('\n')
        .map((line) => `\t${line}`),
      '}',
    ];
  },
};

const java: SampleWriter = {
  file: 'Client.java',
  program: ({ call, ids = [], arguments: given = {}, idempotencyKey, prints }) => {
    const [group, method = call] = call.includes('.') ? call.split('.') : [undefined, call];
    const literal = (name: string, value: SampleValue): string => {
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return `${value}L`;
      if (!isList(value)) return 'OffsetDateTime.now().plusDays(1)';
      const type = partTypes[name];
      const items = value.map((one) =>
        type
          ? `new ${type}()${Object.entries(one)
              .map(([field, of]) => `.${camel(field)}(${literal(field, of)})`)
              .join('')}`
          : `Map.of(${Object.entries(one)
              .flatMap(([field, of]) => [text(field), literal(field, of)])
              .join(', ')})`,
      );
      return listed('List.of(', items, ')', 0, FOUR).replace(/,\n\)$/, ')');
    };
    const file = fileOf(given);
    const setters = [
      ...(file ? [`.file(Files.readAllBytes(Path.of("${file.name}")))`] : []),
      ...Object.entries(fieldsOf(given)).map(([name, value]) => `.${camel(name)}(${literal(name, value)})`),
      ...(idempotencyKey === undefined ? [] : [`.idempotencyKey("${idempotencyKey}")`]),
    ];
    // The price of a message takes the same request as its sending.
    const request = `new ${pascal(call === 'quote' ? 'send' : call)}Request()`;
    const line = `var request = ${request}${setters.join('')};`;
    const lines = [`var request = ${request}`, ...setters.map((one) => FOUR + one.replaceAll('\n', `\n${FOUR}`))];
    const made = line.length <= COLUMNS && !line.includes('\n') ? line : `${lines.join('\n')};`;
    const values = [...ids.map(text), ...(setters.length > 0 ? ['request'] : [])];
    const name = `${group === undefined ? '' : `${camel(group)}().`}${camel(method)}`;
    const body = [
      'Pennytext client = Pennytext.builder()',
      `    .apiKey("${KEY}")`,
      `    .baseUrl("${HOST}")`,
      '    .build();',
      ...(setters.length > 0 ? [made] : []),
      `var answer = client.${name}(${values.join(', ')});`,
      `System.out.println(${prints.map((field) => `answer.${camel(field)}()`).join(' + " " + ')});`,
    ];
    const used = body.join('\n');
    return [
      'import io.pennytext.*;',
      ...(file ? ['import java.nio.file.*;'] : []),
      ...(hasTime(given) ? ['import java.time.OffsetDateTime;'] : []),
      ...(/\b(List|Map)\.of/.test(used) ? ['import java.util.*;'] : []),
      '',
      'public class Client {',
      `    public static void main(String[] args)${file ? ' throws Exception' : ''} {`,
      ...used.split('\n').map((one) => FOUR + FOUR + one),
      '    }',
      '}',
    ];
  },
};

const writers: readonly SampleWriter[] = [typescript, python, php, ruby, go, java];

/** The programs of the documentation that use a client: their texts by their paths. */
export function samplePrograms(): Readonly<Record<string, string>> {
  const all = samples.flatMap((sample) =>
    writers.map(({ file, program }) => [
      `web/src/content/samples/${sample.folder}/${file}`,
      `${program(sample).join('\n')}\n`,
    ]),
  );
  return Object.fromEntries(all) as Record<string, string>;
}
