import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { webhookCalls } from '#contract/openapi/openapi.js';
import { webhookEventTypes } from '#contract/webhooks.js';
import { webhookBody } from './webhook-events.js';
import { examplePayload } from './webhook-deliveries.js';

const at = new Date('2026-03-05T17:20:33.115Z');

describe('webhook bodies', () => {
  it('have a schema in the OpenAPI document for every event type', () => {
    expect(Object.keys(webhookCalls).sort()).toEqual([...webhookEventTypes].sort());
  });

  it.each(webhookEventTypes)('match the OpenAPI schema of %s', (type) => {
    const schema = webhookCalls[type]?.post.requestBody?.content['application/json']?.schema;
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema ?? false);
    validate(JSON.parse(webhookBody(type, examplePayload(type, at), at)));
    expect(validate.errors).toBeNull();
  });
});
