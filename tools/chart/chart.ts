import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chart = join(root, 'ops/helm/pennytext');
const TEMPLATES_BOUND_MS = 120_000;

/** Values of a chart, or an object of Kubernetes. */
export type Tree = Readonly<Record<string, unknown>>;

export interface Manifest extends Tree {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** Renders the chart with values over its own. */
export type Renderer = (values: Tree) => Manifest[];

export const defaultValues = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Tree;

/**
 * Renders with `helm template`, where there is Helm; else with render.go, where there are Go and
 * sprig from Debian's packages; else undefined. Both throw with the template's message.
 */
export function chartRenderer(): Renderer | undefined {
  const scratch = mkdtempSync(join(tmpdir(), 'pennytext-chart-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const valuesFile = join(scratch, 'values.yaml');
  const command = helm(valuesFile) ?? go(scratch, valuesFile);
  return (
    command &&
    ((values) => {
      writeFileSync(valuesFile, stringify(values));
      const [program = '', ...args] = command;
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: TEMPLATES_BOUND_MS });
      if (status !== 0) throw new Error(`The chart cannot be rendered: ${stderr}`);
      return manifestsIn(stdout);
    })
  );
}

function helm(valuesFile: string): string[] | undefined {
  const exists = spawnSync('helm', ['version', '--short']).status === 0;
  return exists ? ['helm', 'template', 'sms', chart, '--namespace', 'apps', '--values', valuesFile] : undefined;
}

function go(scratch: string, valuesFile: string): string[] | undefined {
  const program = join(scratch, 'render');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', GOCACHE: scratch };
  const source = join(root, 'tools/chart/render.go');
  const built = spawnSync('go', ['build', '-o', program, source], { env, encoding: 'utf8' });
  return built.status === 0 ? [program, chart, 'sms', 'apps', valuesFile] : undefined;
}

function manifestsIn(rendered: string): Manifest[] {
  return parseAllDocuments(rendered).flatMap((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw fault;
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : manifest;
  });
}

/** Modules of kubernetes-types, made of Kubernetes' OpenAPI, with the API versions of the chart. */
const modules: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};

/**
 * Compares manifests with Kubernetes' API: unknown and missing fields, and values of another type.
 * Returns the compiler's messages, nothing if all fit.
 */
export function kubernetesFaults(manifests: readonly Manifest[]): string {
  const scratch = mkdtempSync(join(tmpdir(), 'pennytext-manifests-'));
  try {
    const types = join(root, 'node_modules/kubernetes-types');
    const lines = manifests.map((manifest, n) => {
      const { apiVersion, kind } = manifest;
      const type = `import('${types}/${modules[apiVersion] ?? `unknown/${apiVersion}`}').${kind}`;
      return `export const manifest${n}: ${type} = ${JSON.stringify(manifest)};`;
    });
    const file = join(scratch, 'manifests.ts');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'preserve',
      '--types',
      '',
      '--pretty',
      'false',
    ];
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
    return status === 0 ? '' : stdout + stderr;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
