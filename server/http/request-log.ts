import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { KEY_TAIL_CHARACTERS, RequestLog } from '#core/accounts/request-log.js';
import { maskedNumber } from '#core/rules/phone-numbers.js';
import { numberFields } from './boundary-text.js';
import { basicOf, bearerOf } from './credentials.js';
import { apiKeyRoutes, compatibleRoutes } from './request-hooks.js';
import { UnreadBody } from './unread-body.js';
import type { ApiKey } from '#core/keys/api-key.js';

const FIELDS_MAX = 20;
/** Length of the names and masked values together. */
const FIELDS_CHARACTERS_MAX = 500;
const VALUE_CHARACTERS_MAX = 100;
const PATH_CHARACTERS_MAX = 200;
const CODE_CHARACTERS_MAX = 40;
/** Length of the public ids of messages and batches. */
const ID_CHARACTERS = 34;

/** Fields that are logged as sent, because their values have fixed forms. */
const shownFields: ReadonlySet<string> = new Set(
  [
    'encoding max_credits send_at validity dedupe partial limit length domain type otp_id batch_id ' +
      'status since until cursor',
    'lifetime MessagingServiceSid SendAt ScheduleType ValidityPeriod SmartEncoded Status PageSize Page',
  ].flatMap((names) => names.split(' ')),
);
/** Fields of the calls of other companies' APIs that clients send here. */
const compatibleFields =
  'To From Body MessagingServiceSid MediaUrl StatusCallback ApplicationSid MaxPrice ProvideFeedback Attempt ' +
  'ValidityPeriod ForceDelivery ContentRetention AddressRetention SmartEncoded PersistentAction ShortenUrls ' +
  'ScheduleType SendAt SendAsMms ContentSid ContentVariables RiskCheck Status DateSent DateSent< DateSent> ' +
  'PageSize Page PageToken phone message sender replyWebhookUrl webhookData number userid otp length lifetime';
/** Fields that are logged by name; other fields, which a caller may invent, are counted. */
const knownFields: ReadonlySet<string> = new Set([
  ...compatibleFields.split(' '),
  ...fieldNamesIn(openApiDocument('')),
]);
/** Stands for the fields that are not logged by name. */
const OTHER_FIELDS = '(other fields)';
/** The contract derives `options` from the other fields. */
const omittedFields: ReadonlySet<string> = new Set(['apikey', 'key', 'options']);

/** Code and subject that the answer of a call names. */
interface Answered {
  readonly code: string | null;
  readonly subject: string | null;
}
const nothingAnswered: Answered = { code: null, subject: null };
type ApiRequest = FastifyRequest & { caller?: { readonly key: ApiKey }; keyEnding?: string; answered?: Answered };

/**
 * Hands every finished call with an API key to the account's log. Fields are masked before they are
 * kept.
 */
export function logApiCalls(fastify: FastifyInstance, log: RequestLog, apiKeys: ApiKeys): void {
  if (!log.isOn) return;
  fastify.addHook('preSerialization', (request: ApiRequest, _reply, payload, done) => {
    if (isApiCall(request)) request.answered ??= answeredBy(payload);
    done(null, payload);
  });
  // Runs after the last call that was under way.
  fastify.addHook('onClose', () => log.flush());
  fastify.addHook('onResponse', (request: ApiRequest, reply, done) => {
    done();
    if (!isApiCall(request)) return;
    // A plug has a key that its calls do not carry.
    const keyText = keyTextOf(request);
    const key = request.caller?.key ?? (keyText ? apiKeys.parse(keyText) : undefined);
    if (!key) return;
    const [path = ''] = request.url.split('?', 1);
    const durationMs = Math.round(reply.elapsedTime);
    log.note({
      key,
      keyTail: request.keyEnding ?? keyText?.slice(-KEY_TAIL_CHARACTERS) ?? '',
      atMs: Date.now() - durationMs,
      durationMs,
      method: request.method,
      // Textbelt's API has the key in a path.
      path: (keyText ? path.replaceAll(keyText, '…') : path).slice(0, PATH_CHARACTERS_MAX),
      status: reply.statusCode,
      code: request.answered?.code ?? null,
      requestId: request.id,
      subject: request.answered?.subject ?? null,
      fields: maskedFields(request.method === 'GET' ? request.query : readFieldsOf(request)),
    });
  });
}

function isApiCall({ url, method }: FastifyRequest): boolean {
  return method !== 'OPTIONS' && (apiKeyRoutes.test(url) || compatibleRoutes.test(url));
}

/** Our answers and the other APIs' answers; a test key's message is invented. */
function answeredBy(payload: unknown): Answered {
  if (!isRecord(payload)) return nothingAnswered;
  const { code } = payload;
  const id = payload['message_id'] ?? payload['batch_id'] ?? payload['sid'] ?? payload['textId'];
  const isShown = typeof id === 'string' && id.length === ID_CHARACTERS && payload['test'] !== true;
  return {
    code: typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, CODE_CHARACTERS_MAX) : null,
    subject: isShown ? id : null,
  };
}

/** The fields of the body, unless the call was refused before they were read. */
function readFieldsOf({ body }: FastifyRequest): unknown {
  return body instanceof UnreadBody ? body.fields : body;
}

/** The key as sent, also with a call that was refused before its key was looked at. */
function keyTextOf(request: FastifyRequest): string | undefined {
  const given = keyIn(readFieldsOf(request)) || keyIn(request.query) || keyIn(request.params);
  return given || bearerOf(request) || basicOf(request)?.password;
}

function keyIn(fields: unknown): string | undefined {
  if (!isRecord(fields)) return undefined;
  const { apikey, key } = fields;
  return (typeof apikey === 'string' && apikey) || (typeof key === 'string' ? key : undefined);
}

/**
 * The fields as JSON: numbers masked as elsewhere, and only the length of every other value without
 * a fixed form.
 */
function maskedFields(fields: unknown): string {
  if (!isRecord(fields)) return '{}';
  const masked: Record<string, unknown> = {};
  let [count, characters, others] = [0, 0, 0];
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined || value === null || omittedFields.has(name)) continue;
    const shown = knownFields.has(name) && count < FIELDS_MAX ? maskedValue(name, value) : undefined;
    const length = name.length + String(shown).length;
    if (shown === undefined || characters + length > FIELDS_CHARACTERS_MAX) {
      others += 1;
      continue;
    }
    count += 1;
    characters += length;
    masked[name] = shown;
  }
  if (others > 0) masked[OTHER_FIELDS] = others;
  return JSON.stringify(masked);
}

/** Names of the fields in a document's schemas and queries. */
function fieldNamesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(fieldNamesIn);
  if (!isRecord(part)) return [];
  const { properties, in: place, name } = part;
  return [
    ...(isRecord(properties) ? Object.keys(properties) : []),
    ...(place === 'query' && typeof name === 'string' ? [name] : []),
    ...Object.values(part).flatMap(fieldNamesIn),
  ];
}

function maskedValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return `[${value.length} items]`;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return '[object]';
  if (shownFields.has(name)) return typeof value === 'string' ? value.slice(0, VALUE_CHARACTERS_MAX) : value;
  const text = String(value);
  return numberFields.has(name) ? maskedNumber(text.slice(0, VALUE_CHARACTERS_MAX)) : `[${text.length} characters]`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
