import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { reachOf } from '../../rules/network-addresses.js';
import { isSecret } from '../config/is-secret.js';

const BEARER = /^Bearer +([^ ]+) *$/i;

/** Headers that a proxy adds to what it passes on. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

export interface MetricsCall {
  /** Of the connection itself, whatever its headers say. */
  readonly remoteAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Who may read /metrics: with METRICS_TOKEN set whoever has it, and nobody else. Without, a caller of the operator's own network
 * that comes by itself. On the server's port that is nobody once a proxy stands in front of it, which an https PUBLIC_URL or
 * TRUST_PROXY tell: a proxy's address is private too, and not every proxy says whom it speaks for.
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
