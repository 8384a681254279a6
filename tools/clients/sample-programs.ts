import { camel } from './text.js';
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
function listed(open: string, values: readonly string[], close: string, before = 0): string {
  const line = `${open}${values.join(', ')}${close}`;
  if (before + line.length <= COLUMNS) return line;
  const lines = values.map((value) => `${value},`.replaceAll('\n', '\n  '));
  return `${open.trimEnd()}\n  ${lines.join('\n  ')}\n${close.trimStart()}`;
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
      if (isList(value))
        return listed(
          '[',
          value.map((one) => fields(one)),
          ']',
        );
      return 'tomorrow';
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

const writers: readonly SampleWriter[] = [typescript];

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
