import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorCatalogue, errorText, publicCode, type ErrorCode } from '../errors.js';
import type { MediaType, Operation } from './document.js';
import { openApiDocument } from './openapi.js';

const document = openApiDocument('https://pennytext.test');

const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const calls: readonly Operation[] = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)];

/** Files have no example, because they may be of any type. */
const bodies = (operation: Operation): [string, MediaType][] =>
  [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
    Object.entries(part?.content ?? {})
      .filter(([type]) => type !== '*/*')
      .map(([type, media]) => [`${operation.operationId} ${type}`, media] as [string, MediaType]),
  );

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate({ ...document });
    expect(result).toEqual({ valid: true });
  });

  it('has a unique name for every operation', () => {
    const names = calls.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('contains the URL of the installation', () => {
    expect(document.servers).toEqual([{ url: 'https://pennytext.test' }]);
  });

  it.each(calls.flatMap(bodies))('has examples of %s that match its schema', (_name, media) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const validate = ajv.compile({ ...media.schema, components: document.components });
    const examples = Object.values(media.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) {
      validate(value);
      expect(validate.errors).toBeNull();
    }
  });

  it('has every error with the status, text and code of the catalogue', () => {
    const sending = ['sendSms', 'sendBulk', 'sendOtp', 'resendOtp', 'verifyOtp', 'quote'];
    const shown = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.entries(content?.['application/json']?.examples ?? {}).flatMap(([name, { value }]) =>
          name in errorCatalogue
            ? [{ code: name as ErrorCode, status, value, isSending: sending.includes(operationId) }]
            : [],
        ),
      ),
    );
    expect(new Set(shown.map(({ code }) => code)).size).toBeGreaterThan(20);
    for (const { code, status, value, isSending } of shown) {
      expect(status).toBe(String(errorCatalogue[code].status));
      expect(value).toEqual({
        success: 'false',
        error: errorText(code, '', isSending ? 'sending' : 'other'),
        code: publicCode(code),
        detail: expect.stringMatching(/\w/),
      });
    }
  });
});
