import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { variablesOfPage } from '../testkit/configuration-page.js';
import { chartRenderer, defaultValues, kubernetesFaults, type Manifest, type Tree } from './chart.js';

const read = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const { variables } = variablesOfPage(process.cwd());
const required = {
  existingSecret: 'pennytext',
  settings: {
    PUBLIC_URL: 'https://sms.example.com',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_SENDERS: '+15005550006',
  },
  media: { existingClaim: 'pennytext-media' },
};
/** Values that switch on every option and set every setting. */
const everything = {
  ...required,
  image: {
    repository: 'registry.example.com/pennytext',
    digest: `sha256:${'0'.repeat(64)}`,
    pullSecrets: ['registry'],
  },
  migrateSecret: 'pennytext-migrator',
  server: { autoscaling: { enabled: true } },
  worker: { autoscaling: { enabled: true } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'sms.example.com',
    tlsSecret: 'sms-tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '75' },
  },
  networkPolicy: {
    serverFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
    workerFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
  },
  extraVolumes: [{ name: 'postgres-ca', secret: { secretName: 'postgres-ca' } }],
  extraVolumeMounts: [{ name: 'postgres-ca', mountPath: '/etc/pennytext', readOnly: true }],
  podAnnotations: { 'prometheus.io/scrape': 'true' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
};
const [, example = ''] = /```yaml\n([^]*?)```/.exec(read('docs/kubernetes.md')) ?? [];
const variants: [string, Tree][] = [
  ['the values of docs/kubernetes.md', parse(example) as Tree],
  ['the required values alone', required],
  ['everything switched on', everything],
  [
    'budgets and policies switched off',
    { ...required, podDisruptionBudget: { enabled: false }, networkPolicy: { enabled: false } },
  ],
];

const schema = new Ajv({ strict: false }).compile(JSON.parse(read('ops/helm/pennytext/values.schema.json')) as object);
const fits = (values: Tree) => schema({ ...defaultValues, ...values });

describe('values.schema.json', () => {
  it.each(variants)('accepts %s', (_name, values) => {
    expect([fits(values), schema.errors]).toEqual([true, null]);
  });

  it.each<[string, Tree]>([
    ['no Secret', { ...required, existingSecret: '' }],
    ['no place for files', { ...required, media: { existingClaim: '' } }],
    ['no public address', { ...required, settings: { ...required.settings, PUBLIC_URL: '' } }],
    ['an address over http', { ...required, settings: { ...required.settings, PUBLIC_URL: 'http://a.example' } }],
    ['an address with a path', { ...required, settings: { ...required.settings, PUBLIC_URL: 'https://a.example/b' } }],
    ['a setting that the chart sets', { ...required, settings: { ...required.settings, PORT: '80' } }],
    ['a figure that is no string', { ...required, settings: { ...required.settings, WORKER_CONCURRENCY: 1000000 } }],
    ['a misspelled value', { ...required, replicaCount: 3 }],
    ['an ingress without a host', { ...required, ingress: { enabled: true, tlsSecret: 'tls' } }],
    ['a digest of another kind', { ...required, image: { repository: 'a', digest: 'sha1:0' } }],
  ])('refuses %s', (_name, values) => {
    expect(fits(values)).toBe(false);
  });

  it('does not accept the values as shipped: the operator has to name a Secret and the address', () => {
    expect(schema(defaultValues)).toBe(false);
  });

  it('describes every value of values.yaml', () => {
    const { properties } = JSON.parse(read('ops/helm/pennytext/values.schema.json')) as { properties: object };
    expect(Object.keys(defaultValues).filter((name) => !(name in properties))).toEqual([]);
  });
});

describe('Chart.yaml', () => {
  it('names the version of the product', () => {
    expect(parse(read('ops/helm/pennytext/Chart.yaml'))).toMatchObject({ apiVersion: 'v2', appVersion: version });
  });
});

const render = chartRenderer();
const isCi = process.env['CI'] !== undefined && process.platform === 'linux';
// Without Helm or Go there is nothing to render with; CI has Go.
const whereRendered = render || isCi ? describe : describe.skip;

whereRendered('the rendered chart', () => {
  const rendered = (values: Tree): Manifest[] => {
    if (!render) throw new Error('There is neither helm nor Go with sprig (golang-github-masterminds-sprig-dev)');
    return render(values);
  };
  const find = (manifests: readonly Manifest[], kind: string, name: string) => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`There is no ${kind} ${name}`);
    return found;
  };
  const podOf = (manifest: Manifest) => (manifest['spec'] as { template: { spec: PodSpec } }).template.spec;

  it('fits Kubernetes’ API', () => {
    expect(kubernetesFaults(variants.flatMap(([, values]) => rendered(values)))).toBe('');
  });

  it('is compared strictly: a misspelled field is a fault', () => {
    const [first] = rendered(required).filter(({ kind }) => kind === 'Deployment');
    expect(first && kubernetesFaults([{ ...first, spek: {} }])).toContain('spek');
  });

  it('has two deployments, migrations as a hook, budgets and policies', () => {
    const names = rendered(required).map(({ kind, metadata: { name } }) => `${kind} ${name}`);
    expect(names.toSorted()).toEqual([
      'Deployment sms-pennytext-server',
      'Deployment sms-pennytext-worker',
      'Job sms-pennytext-migrate',
      'NetworkPolicy sms-pennytext-migrate',
      'NetworkPolicy sms-pennytext-server',
      'NetworkPolicy sms-pennytext-worker',
      'PodDisruptionBudget sms-pennytext-server',
      'PodDisruptionBudget sms-pennytext-worker',
      'Service sms-pennytext-server',
    ]);
    expect(find(rendered(required), 'Job', 'sms-pennytext-migrate').metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    });
  });

  it('runs every pod without root, privileges, a writable root or a token of the cluster', () => {
    const manifests = rendered(everything).filter(({ kind }) => ['Deployment', 'Job'].includes(kind));
    expect(manifests).toHaveLength(3);
    for (const manifest of manifests) {
      const pod = podOf(manifest);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            image: `registry.example.com/pennytext:${version}@sha256:${'0'.repeat(64)}`,
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      });
      expect(pod.containers[0]?.resources.limits['memory']).toMatch(/^\d+Mi$/);
      expect(pod.containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
        '/tmp',
        ...(manifest.kind === 'Job' ? [] : ['/media']),
        '/etc/pennytext',
      ]);
    }
  });

  it('probes the paths that server and worker answer, and waits for draining', () => {
    for (const name of ['server', 'worker']) {
      const pod = podOf(find(rendered(required), 'Deployment', `sms-pennytext-${name}`));
      const [container] = pod.containers;
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/healthz', port: 'http' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      });
      const variable = (wanted: string) => Number(container?.env.find((one) => one.name === wanted)?.value);
      expect(pod.terminationGracePeriodSeconds).toBe(variable('DRAIN_SECONDS') + variable('STOP_SECONDS') + 10);
    }
  });

  it('sets variables that exist, and takes secrets from existing Secrets alone', () => {
    const manifests = rendered(everything);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secrets = manifests
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .map((manifest) => podOf(manifest).containers[0]);
    expect(secrets.map((container) => String(container?.envFrom[0]?.secretRef.name)).toSorted()).toEqual([
      'pennytext',
      'pennytext',
      'pennytext-migrator',
    ]);
    const names = secrets.flatMap((container) => container?.env.map(({ name }) => name) ?? []);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('leaves the number of replicas to the autoscalers, by processor and by the age of the queue', () => {
    const manifests = rendered(everything);
    for (const name of ['server', 'worker'])
      expect(find(manifests, 'Deployment', `sms-pennytext-${name}`)['spec']).not.toHaveProperty('replicas');
    expect(find(manifests, 'HorizontalPodAutoscaler', 'sms-pennytext-worker')['spec']).toMatchObject({
      metrics: [
        {
          external: {
            metric: { name: 'pennytext_backlog_oldest_age_seconds' },
            target: { type: 'Value', value: '15' },
          },
        },
      ],
    });
    expect(read('core/platform/telemetry/metrics.ts')).toContain("'pennytext_backlog_oldest_age_seconds'");
  });

  it('lets nothing into workers and migrations unless it is named, and blocks the metadata service', () => {
    const manifests = rendered(required);
    for (const name of ['worker', 'migrate'])
      expect(find(manifests, 'NetworkPolicy', `sms-pennytext-${name}`)['spec']).toMatchObject({
        policyTypes: ['Ingress', 'Egress'],
        ingress: [],
      });
    for (const { spec } of manifests.filter(({ kind }) => kind === 'NetworkPolicy'))
      expect(JSON.stringify(spec)).toContain('"except":["169.254.0.0/16"]');
  });
});

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
    readonly resources: { readonly limits: Readonly<Record<string, string>> };
    readonly volumeMounts: readonly { readonly mountPath: string }[];
  }[];
}
