import { limits } from '../limits.js';
import type { Header, OpenApiDocument } from './document.js';
import { publicPaths } from './operations.js';
import { schemas } from './schemas.js';
import { webhookCalls } from './webhook-calls.js';

const introduction = `One HTTP POST sends a message. Bodies are JSON or form-encoded, up to ${limits.apiBodyBytesMax / 1_024} KiB; fields that are not listed are ignored. Web pages of every origin may call it.

The key goes into \`Authorization: Bearer\`, or as \`apikey\` into the body or the query. With \`_test\` behind it every check is run, and nothing is sent, stored or charged.

A refusal has the fields \`success\`, \`error\`, \`code\` and \`detail\`. Let programs look at \`code\`.`;

const wholeNumber = (description: string): Header => ({ description, schema: { type: 'string', pattern: '^\\d+$' } });

const headers: Readonly<Record<string, Header>> = {
  'RateLimit-Limit': wholeNumber(
    'Requests that the key may make in a second. Absent where there is no limit, and before the key was counted.',
  ),
  'RateLimit-Remaining': wholeNumber('How many are left in this second.'),
  'RateLimit-Reset': wholeNumber('Seconds until the count starts anew.'),
  'Retry-After': wholeNumber('Seconds to wait before sending the request again.'),
  'Idempotent-Replayed': {
    description: 'Present when this is the answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Request-Id': {
    description:
      'The name of this request in our logs: yours, where you sent one of 1 to 64 letters, digits and `. _ : -`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$' },
  },
  Vary: { description: 'The answer depends on the Accept header.', schema: { type: 'string', const: 'Accept' } },
};

/** The public API as OpenAPI 3.1, made from the contract; `url` is where it is reached, without a slash at the end. */
export function openApiDocument(url: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pennytext',
      version: '1',
      summary: 'Send and receive SMS with one HTTP POST.',
      description: introduction,
    },
    servers: [{ url }],
    externalDocs: { url: `${url}/docs`, description: 'The documentation for people' },
    tags: [
      { name: 'Messages', description: 'Send messages and see what became of them.' },
      { name: 'One-time passwords', description: 'Send codes and verify them.' },
      { name: 'Account', description: 'Your credits.' },
      { name: 'Webhooks', description: 'What your webhook URL is told.' },
    ],
    paths: publicPaths,
    webhooks: webhookCalls,
    components: {
      schemas,
      headers,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Your API key.' },
        apikeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'apikey',
          description: 'Your API key, for calls that read.',
        },
      },
    },
  };
}
