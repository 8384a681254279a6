import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { MediaType, OpenApiDocument, Operation, Schema } from '#contract/openapi/document.js';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { startTcpProxy, type TcpProxy } from '#core/testing/tcp-proxy.js';
import type { TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from './test-server.js';

/** Headers that any answer may have. */
const ordinaryHeaders = new RegExp(
  `^(${[
    'content-type|content-length|content-disposition|content-security-policy|referrer-policy|x-robots-tag',
    'accept-ranges|etag|date|connection|keep-alive|transfer-encoding|access-control-.*|cache-control',
    'x-content-type-options|strict-transport-security|x-accel-buffering',
  ].join('|')})$`,
);

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly operation: Operation;
}

/**
 * Compares a server's answers with the OpenAPI document and records which documented answers were
 * seen.
 */
export class DocumentedAnswers {
  private readonly document: OpenApiDocument = openApiDocument('https://pennytext.test');
  private readonly ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes = routesOf(this.document);
  private readonly seen = new Set<string>();

  /**
   * Every documented answer: 'sendSms 402 no_credits', 'sendSms 402 header RateLimit-Limit' and so
   * on.
   */
  readonly listed: readonly string[] = this.routes.flatMap(({ operation }) => listedOf(operation));

  get unseen(): string[] {
    return this.listed.filter((answer) => !this.seen.has(answer));
  }

  /** Ids of the operations of which an answer was seen. */
  operationsSeen(): string[] {
    return [...new Set([...this.seen].map((answer) => answer.split(' ', 1)[0] ?? ''))];
  }

  /** Sends a request. Throws when the answer is not documented. */
  async ask(server: Pick<TestServer, 'inject'>, request: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await server.inject(request);
    const url = typeof request.url === 'string' ? request.url : (request.url?.pathname ?? '');
    const faults = this.faultsOf(request.method ?? 'GET', url, answer);
    if (faults.length > 0)
      throw new Error(`${request.method ?? 'GET'} ${url} → ${answer.statusCode} ${answer.body}: ${faults.join('; ')}`);
    return answer;
  }

  /** Returns the differences between an answer and the document. */
  faultsOf(method: string, url: string, answer: LightMyRequestResponse): string[] {
    const path = url.split('?')[0] ?? '';
    const operation = this.routes.find((route) => route.method === method && route.path.test(path))?.operation;
    if (!operation) return ['there is no such operation'];
    const { operationId } = operation;
    const status = String(answer.statusCode);
    const response = operation.responses[status];
    if (!response) return [`${operationId} lists no status ${status}`];
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    // A file has a type of its own.
    const listed = response.content?.[type] ? type : '*/*';
    const media = response.content?.[listed];
    if (!media) return [`${operationId} ${status} lists no ${type}`];

    const body: unknown = type === 'application/json' ? answer.json() : answer.body;
    const validate = this.validatorOf(`${operationId} ${status} ${type}`, media.schema);
    const faults = validate(body) ? [] : [this.ajv.errorsText(validate.errors)];
    this.seen.add(`${operationId} ${status} ${isSuccess(status) ? listed : codeOf(body)}`);
    return [...faults, ...this.headerFaults(operationId, status, response.headers ?? {}, answer)];
  }

  private headerFaults(id: string, status: string, listed: object, { headers }: LightMyRequestResponse): string[] {
    const names = new Map(Object.keys(listed).map((name) => [name.toLowerCase(), name]));
    return Object.keys(headers).flatMap((key) => {
      if (ordinaryHeaders.test(key)) return [];
      const name = names.get(key);
      if (name === undefined) return [`${id} ${status} lists no header ${key}`];
      this.seen.add(`${id} ${status} header ${name}`);
      const validate = this.validatorOf(`header ${name}`, this.document.components.headers[name]?.schema ?? {});
      return validate(headers[key]) ? [] : [`${name}: ${this.ajv.errorsText(validate.errors)}`];
    });
  }

  private validatorOf(key: string, schema: Schema): ValidateFunction {
    const known = this.validators.get(key);
    if (known) return known;
    const components = { schemas: closed(this.document.components.schemas) };
    const validate = this.ajv.compile({ ...schema, components });
    this.validators.set(key, validate);
    return validate;
  }
}

function routesOf({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );
}

function listedOf({ operationId, responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { content = {}, headers = {} }]) => {
    const bodies = isSuccess(status) ? Object.keys(content) : codesOf(content['application/json']);
    const parts = [...bodies, ...Object.keys(headers).map((name) => `header ${name}`)];
    return parts.map((what) => `${operationId} ${status} ${what}`);
  });
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

/** The documented codes of an error. */
function codesOf(media: MediaType | undefined): string[] {
  const code = media?.schema.properties?.code;
  if (typeof code !== 'object' || !code.enum) throw new Error('A documented error must list its codes');
  return code.enum.map(String);
}

/** Rejects undocumented fields, although clients must tolerate them. */
function closed(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, unevaluatedProperties: false }]),
  );
}

function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : 'no code';
}

/**
 * Starts a server whose connections to Postgres can be cut, and a strict one that answers one call
 * a second.
 */
export async function startDocumented(
  bed: TestBed,
): Promise<{ proxy: TcpProxy; server: TestServer; strict: TestServer }> {
  const url = new URL(bed.database.url);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  const config = bed.config({
    DATABASE_URL: url.href,
    RATE_LIMIT_KEY_PER_SECOND: '100000',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    FREE_CREDITS_OWN_NUMBER: 'true',
    TWILIO_VOICE_NUMBER: '+15005550006',
    TWILIO_WHATSAPP_SENDER: '+14155238886',
    TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
  });
  const strict = await createTestServer(bed.config({ RATE_LIMIT_KEY_PER_SECOND: '1' }));
  return { proxy, server: await createTestServer(config), strict };
}
