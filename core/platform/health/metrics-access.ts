import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { reachOf } from '../../rules/network-addresses.js';
import { isSecret } from '../crypto/encryption.js';

const BEARER = /^Bearer +([^ ]+) *$/i;

/** Headers that proxies add to requests. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

interface MetricsCall {
  /** Address of the connection itself, regardless of headers. */
  readonly remoteAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Decides who may read /metrics. With METRICS_TOKEN: callers that send it. Without: callers with a
 * private address and no proxy headers. On the server's port no caller is admitted behind a proxy,
 * which an https PUBLIC_URL or TRUST_PROXY indicate: the proxy's own address is private too, and
 * not every proxy sends headers.
 */
@Injectable()
export class MetricsReaders {
  constructor(private readonly config: Config) {}

  admits({ remoteAddress, headers }: MetricsCall, port: 'server' | 'worker'): boolean {
    const { metricsToken } = this.config.operator;
    if (metricsToken !== undefined) {
      const given = BEARER.exec(String(headers['authorization'] ?? ''))?.[1];
      return given !== undefined && isSecret(given, metricsToken);
    }
    const { publicUrl, trustProxy } = this.config.http;
    if (port === 'server' && (trustProxy || publicUrl.startsWith('https:'))) return false;
    if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
    return remoteAddress !== undefined && reachOf(remoteAddress) === 'private';
  }
}
