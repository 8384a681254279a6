import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './postgres.js';
import { run, StartError } from './program.js';

const OPENSSL_BOUND_MS = 60_000;

/** Files in PEM for servers at `localhost`, for two days. */
export interface Certificates {
  readonly authority: string;
  /** An authority that issued nothing. */
  readonly otherAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes an authority and a certificate for `localhost` in a folder. Throws StartError without openssl. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const selfMade = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  for (const name of ['ca', 'other-ca'])
    await openssl(folder, selfMade, ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`]);
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'basicConstraints=critical,CA:FALSE'];
  await openssl(folder, selfMade, names, issuer, ['-keyout', 'server.key', '-out', 'server.pem']);
  return {
    authority: join(folder, 'ca.pem'),
    otherAuthority: join(folder, 'other-ca.pem'),
    certificate: join(folder, 'server.pem'),
    key: join(folder, 'server.key'),
  };
}

/** Settings of a Postgres that also takes connections over TLS; gives the key to its user. */
export function postgresTls({ certificate, key }: Certificates, { uid, gid }: Cluster): string[] {
  // Postgres takes a key that its user alone can read.
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
}

/** Lines of redis.conf for a Redis that takes connections over TLS on a port. */
export function redisTls({ authority, certificate, key }: Certificates, port: number): Record<string, string> {
  return {
    'tls-port': String(port),
    'tls-cert-file': certificate,
    'tls-key-file': key,
    'tls-ca-cert-file': authority,
    'tls-auth-clients': 'no',
  };
}

/** The URL of a database at `localhost` that believes this authority alone. */
export function verifiedUrl(databaseUrl: string, authority: string): string {
  const url = new URL(databaseUrl);
  url.hostname = 'localhost';
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString();
  return url.href;
}

async function openssl(folder: string, ...parts: string[][]): Promise<void> {
  const { code, errors } = await run('openssl', parts.flat(), { cwd: folder, timeoutMs: OPENSSL_BOUND_MS }).catch(
    (cause: unknown) => {
      throw new StartError('There is no openssl to make certificates with: install it.', { cause });
    },
  );
  if (code !== 0) throw new StartError(`openssl made no certificate: ${errors}`);
}
