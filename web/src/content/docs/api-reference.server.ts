import type { MediaType, Method, OpenApiDocument, Operation, Schema } from '#contract/openapi/document.js';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { apiCallPath, apiEventsPath, type EventGroup, eventGroups, paths } from '../../paths.js';
import { site } from '../../site.js';
import { shown } from '../answers.js';
import { errorGuide } from '../error-guide.js';
import { placeholders } from '../samples.js';
import { anchorOf, type Block, code, exchange, note, type Page, type Section, table } from '../page.js';
import { bulk } from './bulk.js';
import { deliveryErrorsPage } from './delivery-errors.js';
import { keys } from './keys.js';
import { events } from './events.js';
import { media } from './media.js';
import { messageStatus } from './message-status.js';
import { numbers } from './numbers.js';
import { otp } from './otp.js';
import { prices } from './prices.js';
import { receiving } from './receiving.js';
import { scheduling } from './scheduling.js';
import { sendSms } from './send-sms.js';
import { totp } from './totp.js';
import { topUp } from './top-up.js';
import { serviceStatusPage } from './service-status.js';

const document = openApiDocument(site.url);

/** The page that explains each call in full. */
const chapters: Readonly<Record<string, Page>> = {
  sendSms,
  quote: prices,
  cancelMessage: scheduling,
  uploadMedia: media,
  findMedia: media,
  sendBulk: bulk,
  listBatches: bulk,
  findBatch: bulk,
  cancelBatch: bulk,
  listBatchMessages: bulk,
  listMessages: messageStatus,
  findMessage: messageStatus,
  messageRecord: messageStatus,
  sendOtp: otp,
  verifyOtp: otp,
  listOptOuts: receiving,
  availableNumbers: numbers,
  buyNumber: numbers,
  listNumbers: numbers,
  findNumber: numbers,
  changeNumber: numbers,
  releaseNumber: numbers,
  putPool: numbers,
  listPools: numbers,
  findPool: numbers,
  deletePool: numbers,
  listOtps: otp,
  otpConversion: otp,
  deliverability: deliveryErrorsPage,
  balance: messageStatus,
  notifications: topUp,
  spend: topUp,
  exposure: keys,
  resendOtp: otp,
  findOtp: otp,
  otpGuard: otp,
  createTotp: totp,
  listTotps: totp,
  findTotp: totp,
  verifyTotp: totp,
  replaceRecoveryCodes: totp,
  deleteTotp: totp,
  streamEvents: events,
  triggerEvent: events,
  deliveryQuality: serviceStatusPage,
  regions: prices,
  serviceStatus: serviceStatusPage,
};

const documented: ReadonlySet<string> = new Set(errorGuide.map(({ code: key }) => key));

const typeWords = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  array: 'list',
  object: 'object',
  null: 'nothing',
} as const;

const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method as Method, operation })),
);

const webhookEvents = Object.entries(document.webhooks);
const groups = Object.keys(eventGroups) as EventGroup[];
const groupOf = (type: string) => groups.find((group) => type.startsWith(`${group}.`));

/** A page for each call of the OpenAPI document. */
export const apiCalls: readonly Page[] = calls.map(({ path, method, operation }) => callPage(path, method, operation));

/** The calls, the webhooks and the headers of the OpenAPI document. */
export const apiReference: Page = {
  path: paths.apiReference,
  title: 'API reference',
  description: 'Every call of the API with its fields, its answers and its errors, and every webhook, in one place.',
  intro: [
    `These pages are generated from the [OpenAPI 3.1 document](${paths.openApi}) that programs read: ` +
      `${site.url}${paths.openApi}. Client generators, Postman and other tools can import it.`,
    ...document.info.description.split('\n\n'),
  ],
  sections: [
    {
      title: 'Calls',
      blocks: [
        table(
          ['Call', 'Description'],
          calls.map(({ path, method, operation: { operationId, summary } }) => [
            `[\`${method.toUpperCase()} ${path}\`](${apiCallPath(operationId)})`,
            `${summary}.`,
          ]),
        ),
      ],
    },
    { title: 'Webhooks', blocks: [webhookTable()] },
    headersSection(document.components.headers),
  ],
};

function callPage(path: string, method: Method, operation: Operation): Page {
  const { summary, description, operationId, responses } = operation;
  const chapter = chapters[operationId];
  return {
    path: apiCallPath(operationId),
    title: summary,
    description: `API reference for ${method.toUpperCase()} ${path}: fields, an example with its response, and errors.`,
    intro: [`\`${method.toUpperCase()} ${path}\``, ...description.split('\n\n')],
    sections: [
      { title: 'Request', blocks: inputs(operation) },
      {
        title: 'Example',
        blocks: [exchange(code('Curl', 'bash', curlOf(path, method, operation)), ...answersOf(operation))],
      },
      { title: 'Response', blocks: outputs(operation) },
      { title: 'Errors', blocks: [table(['HTTP', 'Codes', 'Meaning'], refusalRows(responses))] },
      ...(chapter === undefined
        ? []
        : [{ title: 'Learn more', blocks: [`The guide to this call: [${chapter.title}](${chapter.path}).`] }]),
    ].filter(({ blocks }) => blocks.length > 0),
  };
}

/** Fields of the body, path, query and headers. */
function inputs({ parameters, requestBody }: Operation): Block[] {
  const body = requestBody && resolved(requestBody.content['application/json']?.schema);
  const fields = fieldsOf(body).map(([name, schema]) => {
    const needed = body?.required?.includes(name) ? ', required' : '';
    return [`\`${name}\``, `${typeOf(schema)}${needed}`, wordsOf(schema)];
  });
  const others = parameters.map(({ name, in: place, required, description, schema }) => [
    `\`${name}\``,
    `${typeOf(schema)} in the ${place}${required ? ', required' : ''}`,
    description,
  ]);
  const rows = [...fields, ...others];
  return rows.length === 0 ? [] : [table(['Field', 'Type', 'Description'], rows)];
}

/** Meanings of the statuses, unless 200 is the only one, and the fields of the answers. */
function outputs(operation: Operation): Block[] {
  const successes = successesOf(operation);
  const isPlain = successes.every(([status]) => status === '200');
  const schemas = successes.map(([, { content }]) => resolved(content?.['application/json']?.schema));
  const fields = new Map(schemas.flatMap(fieldsOf));
  const rows = [...fields].map(([name, property]) => [`\`${name}\``, typeOf(property), wordsOf(property)]);
  return [
    ...(isPlain
      ? []
      : [
          table(
            ['HTTP', 'Meaning'],
            successes.map(([status, { description }]) => [status, description]),
          ),
        ]),
    ...(rows.length === 0 ? [] : [table(['Field', 'Type', 'Description'], rows)]),
  ];
}

/** An example of each success in each of its types. */
function answersOf(operation: Operation) {
  return successesOf(operation).flatMap(([status, { content = {} }]) => {
    const types = Object.entries(content);
    return types.map(([type, mediaType]) => {
      const value = exampleOf(mediaType);
      const title = `Response, HTTP ${status}`;
      if (value === undefined) return code(title, 'text', 'The bytes of the file.');
      const isText = typeof value === 'string';
      return code(
        types.length === 1 ? title : `${title}, ${type}`,
        isText ? 'text' : 'json',
        isText ? value : shown(Object(value) as object),
      );
    });
  });
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

function successesOf({ responses }: Operation) {
  return Object.entries(responses).filter(([status]) => isSuccess(status));
}

function refusalRows(responses: Operation['responses']): string[][] {
  return Object.entries(responses)
    .filter(([status]) => !isSuccess(status))
    .map(([status, { description, content }]) => {
      const codes = Object.keys(content?.['application/json']?.examples ?? {});
      const links = codes.map((key) => (documented.has(key) ? `[\`${key}\`](${paths.errors}#${key})` : `\`${key}\``));
      return [status, links.join(', '), description];
    });
}

/** A page for each group of webhook events. */
export const apiEvents: readonly Page[] = groups.map((group) => ({
  path: apiEventsPath(group),
  title: `Events: ${eventGroups[group]}`,
  description: `API reference for the webhook events of this group (${group}.…): what each one means, and its body.`,
  intro: [
    `The events sent to your webhook URL. [Webhooks](${paths.webhooks}) explains how calls are signed and retried.`,
    note('Only `message.received` is on by default.'),
  ],
  sections: webhookEvents
    .filter(([type]) => groupOf(type) === group)
    .map(([type, { post }]) => ({
      title: type,
      blocks: [
        `${post.summary}. ${post.description}`,
        code(type, 'json', shown(Object(exampleOf(post.requestBody?.content['application/json'])) as object)),
      ],
    })),
}));

/** The webhook events, each as a link to its body. */
export function webhookTable(): Block {
  const rows = webhookEvents.map(([type, { post }]) => {
    const group = groupOf(type);
    if (group === undefined) throw new Error(`the event ${type} has no group`);
    return [`[\`${type}\`](${apiEventsPath(group)}#${anchorOf(type)})`, `${post.summary}.`];
  });
  return table(['Event', 'Description'], rows);
}

function headersSection(headers: OpenApiDocument['components']['headers']): Section {
  return {
    title: 'Headers of answers',
    blocks: [
      table(
        ['Header', 'Meaning'],
        Object.entries(headers).map(([name, { description }]) => [`\`${name}\``, description]),
      ),
    ],
  };
}

/** The call with curl, which defaults to GET without a body and to POST with a body. */
function curlOf(path: string, method: Method, operation: Operation): string {
  const { requestBody, security } = operation;
  const example = exampleOf(requestBody?.content['application/json']);
  const url = site.url + path.replace(/\{(\w+)\}/g, (_, name: string) => `YOUR_${name.toUpperCase()}`);
  const isDefault = method === (example === undefined ? 'get' : 'post');
  const needsKey = security.some((way) => Object.keys(way).length > 0) && !('apikey' in (Object(example) as object));
  return [
    `curl${isDefault ? '' : ` -X ${method.toUpperCase()}`} ${url}`,
    ...(needsKey ? [`-H 'Authorization: Bearer ${placeholders.apiKey}'`] : []),
    ...(example === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example, null, 2)}'`]),
  ].join(' \\\n  ');
}

function exampleOf(mediaType: MediaType | undefined): unknown {
  return Object.values(mediaType?.examples ?? {})[0]?.value;
}

function resolved(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

/** The fields of an object; of one of several objects, the fields of all of them, each once. */
function fieldsOf(schema: Schema | undefined): [string, Schema][] {
  if (schema?.anyOf) {
    const fields = new Map<string, Schema>();
    for (const [name, field] of schema.anyOf.flatMap((one) => fieldsOf(resolved(one))))
      if (!fields.has(name)) fields.set(name, field);
    return [...fields];
  }
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]) =>
    typeof property === 'object' ? [[name, property] as [string, Schema]] : [],
  );
}

function wordsOf({ description = '' }: Schema): string {
  return description;
}

/** A type in words: 'text', 'whole number or text', 'one of `a`, `b`'. Descriptions cover null. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const inner = (schema.anyOf ?? []).find(({ type }) => type !== 'null');
  if (inner) return typeOf(inner);
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const words = types.map((type) => (schema.format === 'date-time' ? 'time' : typeWords[type]));
  const bounds =
    schema.minimum !== undefined && schema.maximum !== undefined ? `, ${schema.minimum} to ${schema.maximum}` : '';
  return `${words.join(' or ')}${bounds}`;
}
