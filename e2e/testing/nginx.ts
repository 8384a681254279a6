import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, isListening } from '../../tools/testkit/ports.js';
import { Program, run } from '../../tools/testkit/program.js';
import { findCommand } from '../../tools/testkit/redis.js';
import { repository } from './repository.js';

/** The domain that ops/nginx/pennytext.conf is written for. */
export const DOMAIN = 'sms.example.com';

/** The path of nginx, if this machine has it. */
export function findNginx(): string | undefined {
  return findCommand('nginx');
}

interface NginxOptions {
  /** Ports of the two servers behind nginx, in place of 3000 and 3001. */
  readonly serverPorts: readonly [number, number];
  readonly logFile: string;
}

/**
 * An nginx with the shipped ops/nginx/pennytext.conf but for ports and paths, and with a
 * certificate that it has signed itself.
 */
export class Nginx {
  private constructor(
    private readonly program: Program,
    private readonly folder: string,
    /** Port of https, and of the redirect from http. */
    readonly ports: { readonly https: number; readonly http: number },
    /** The certificate in PEM, which is its own authority. */
    readonly certificate: string,
  ) {}

  /** Throws when there is no nginx, when it refuses the file, or when it does not start. */
  static async start({ serverPorts, logFile }: NginxOptions): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-nginx-'));
    // The workers' user looks for the files of the rotation.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'rotation'));
    const [https = 0, http = 0] = await freePorts(2);
    await makeCertificate(folder);
    writeFileSync(join(folder, 'pennytext.conf'), siteOf(folder, serverPorts, { https, http }));
    writeFileSync(join(folder, 'nginx.conf'), mainSettings(folder));
    const command = findNginx() ?? 'nginx';
    const settings = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
    const test = await run(command, [...settings, '-t'], { timeoutMs: 10_000 });
    if (test.code !== 0) throw new Error(`nginx refuses ops/nginx/pennytext.conf: ${test.errors}`);
    const program = new Program({ name: 'nginx', command, args: settings, logFile });
    await program.ready(() => isListening(https));
    return new Nginx(program, folder, { https, http }, readFileSync(join(folder, 'certificate.pem'), 'utf8'));
  }

  get url(): string {
    return `https://127.0.0.1:${this.ports.https}`;
  }

  /** The folder whose files take servers out of the rotation. */
  get rotation(): string {
    return join(this.folder, 'rotation');
  }

  async stop(): Promise<void> {
    await this.program.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function siteOf(
  folder: string,
  [first, second]: readonly [number, number],
  { https, http }: { https: number; http: number },
): string {
  const replacements: [RegExp, string][] = [
    [/\/etc\/letsencrypt\/live\/sms\.example\.com\/fullchain\.pem/, join(folder, 'certificate.pem')],
    [/\/etc\/letsencrypt\/live\/sms\.example\.com\/privkey\.pem/, join(folder, 'key.pem')],
    [/listen 443 /, `listen 127.0.0.1:${https} `],
    [/listen 80;/, `listen 127.0.0.1:${http};`],
    // Not every machine has IPv6.
    [/ *listen \[::\]:\d+.*;\n/g, ''],
    [/\/run\/pennytext\//g, `${join(folder, 'rotation')}/`],
    [/3000/g, String(first)],
    [/3001/g, String(second)],
  ];
  return replacements.reduce(
    (text, [from, to]) => {
      if (text.search(from) < 0) throw new Error(`ops/nginx/pennytext.conf has nothing like ${from}`);
      return text.replace(from, to);
    },
    readFileSync(join(repository, 'ops/nginx/pennytext.conf'), 'utf8'),
  );
}

function mainSettings(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    'daemon off;',
    'worker_processes 2;',
    `pid ${join(folder, 'nginx.pid')};`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log off;',
    ...temporary.map((name) => `  ${name}_temp_path ${join(folder, name)};`),
    `  include ${join(folder, 'pennytext.conf')};`,
    '}\n',
  ].join('\n');
}

async function makeCertificate(folder: string): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', join(folder, 'key.pem')];
  const name = ['-subj', `/CN=${DOMAIN}`, '-addext', `subjectAltName=DNS:${DOMAIN}`];
  const certificate = ['-days', '2', '-out', join(folder, 'certificate.pem')];
  const made = await run('openssl', ['req', '-x509', ...key, ...name, ...certificate], { timeoutMs: 30_000 });
  if (made.code !== 0) throw new Error(`openssl made no certificate: ${made.errors}`);
}
