import type { MediaType, Method, Operation, Schema } from '../../contract/openapi/document.js';
import { publicCode } from '../../contract/errors.js';
import { openApiDocument } from '../../contract/openapi/openapi.js';
import { refusalsOf } from '../../contract/openapi/refusals.js';
import { callNames, type CallName, leftOutOperations, leftOutSchemas, typeNames } from './calls.js';
import { pascal, singular } from './text.js';

/** The bodies, calls, events and error codes of the API, from which the clients of all languages are made. */
export interface ClientModel {
  /** Objects of requests and answers; an object comes after those that it contains. */
  readonly types: readonly ObjectType[];
  readonly calls: readonly Call[];
  readonly events: readonly Event[];
  /** Codes of refusals, by the alphabet. */
  readonly errorCodes: readonly string[];
}

/** Writes a client's generated files: their texts by their paths in `sdk/<language>`. */
export type Emitter = (model: ClientModel) => Readonly<Record<string, string>>;

export interface ObjectType {
  /** Such as `AcceptedMessage`, or `MessageRecordTransition` for an object of a list in another one. */
  readonly name: string;
  /** Requests are written, answers and events are read. */
  readonly isRequest: boolean;
  readonly fields: readonly Field[];
}

export interface Field {
  /** The name on the wire. */
  readonly name: string;
  /** Sentences in Markdown; empty where the contract has none. */
  readonly description: string;
  readonly type: Type;
  /** An answer always has it, or a request needs it. It may be null all the same. */
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

export type Type =
  | { readonly kind: 'text' | 'integer' | 'number' | 'any' }
  /** `isNeverTrue`: the field is false or absent. */
  | { readonly kind: 'boolean'; readonly isNeverTrue?: boolean }
  /** A point in time: RFC 3339 with an offset on the wire, the language's own type in programs. */
  | { readonly kind: 'time' }
  /** A text of these values. Answers of later versions may have others. */
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly of: Type }
  /** Values by names that the contract does not list. */
  | { readonly kind: 'map'; readonly of: Type }
  | { readonly kind: 'object'; readonly name: string };

export interface Call {
  /** As in the conformance suite: `send`, `messages.get`. */
  readonly name: string;
  readonly group: string | undefined;
  /** The name without the group. */
  readonly method: string;
  /** A summary of a few words, without a period, and the details in Markdown. */
  readonly summary: string;
  readonly description: string;
  readonly http: { readonly method: Uppercase<Method>; readonly path: string };
  /** Names in the path, in order, such as `message_id`; they are positional arguments. */
  readonly ids: readonly string[];
  /** Fields of the query or of the JSON body, which is `{}` without one. `upload`: also a form with a file. */
  readonly arguments: readonly Field[];
  readonly sends: 'query' | 'body' | 'upload';
  /** Parameters of the query that are always the same. */
  readonly fixed: Readonly<Record<string, string>>;
  /** `keyed`: one Idempotency-Key for all tries. `once`: repeated after 429 only. `free`: a call that only reads. */
  readonly repeat: 'keyed' | 'once' | 'free';
  /** Name of the answer's type. */
  readonly answer: string;
  /** Present for a list, which is read page by page by `next_cursor`: the answer's field and the items' type. */
  readonly list: { readonly field: string; readonly item: string } | undefined;
}

export interface Event {
  /** Such as `message.delivered`. */
  readonly type: string;
  readonly summary: string;
  /** Name of the type of its `data`. The body of `message.received` is its data. */
  readonly data: string;
}

/** Fields that the client sets, or shows in another way. */
const HIDDEN = ['apikey', 'success', 'cursor'];

/** Items of a bulk, which the contract checks one by one. */
const BULK_ITEMS: Readonly<Record<string, Schema>> = {
  messages: {
    type: 'object',
    properties: { to: { type: 'string' }, message: { type: 'string' }, reference: { type: 'string' } },
    required: ['to', 'message'],
  },
  recipients: { type: 'object', additionalProperties: {} },
};

/** Derives the model from the API's contract. Throws for a shape that it does not know. */
export function clientModel(): ClientModel {
  const document = openApiDocument('https://pennytext.example');
  const types = new Types(document.components.schemas);
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (!leftOutSchemas.includes(name) && !name.endsWith('Failure')) types.add(name, schema, name.endsWith('Request'));
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [Method, Operation][]).flatMap(([method, operation]) => {
      if (leftOutOperations.includes(operation.operationId)) return [];
      const names = callNames[operation.operationId];
      if (!names) throw new Error(`Name the calls of ${operation.operationId}, or leave it out.`);
      return names.map((named) => callOf(types, path, method, operation, named));
    }),
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]): Event => {
    const schema = post.requestBody?.content['application/json']?.schema ?? {};
    const data = (schema.properties?.['data'] ?? schema) as Schema;
    return { type, summary: post.summary, data: types.add(`${pascal(type)}Data`, data, false) };
  });
  const errorCodes = [...new Set(Object.values(refusalsOf).flat().map(publicCode))].sort((a, b) => a.localeCompare(b));
  // Lists are read item by item: programs do not see their pages.
  const pages = calls.filter((call) => call.list).map((call) => call.answer);
  return { types: types.all.filter(({ name }) => !pages.includes(name)), calls, events, errorCodes };
}

function callOf(types: Types, path: string, method: Method, operation: Operation, named: CallName): Call {
  const { name, fixed = {}, body = jsonOf(operation.requestBody?.content), answer = answerOf(operation) } = named;
  const [group, short] = name.includes('.') ? name.split('.') : [undefined, name];
  const request = types.find(body);
  const query = operation.parameters
    .filter((one) => one.in === 'query' && ![...HIDDEN, ...(named.without ?? [])].includes(one.name))
    .map((one) => types.fieldOf(name, one.name, { ...one.schema, description: one.description }, false, true));
  const found = types.find(answer);
  const items = found?.fields.find(({ type }) => type.kind === 'list');
  const isList = found?.fields.some((field) => field.name === 'next_cursor') ?? false;
  const isKeyed = operation.parameters.some((one) => one.name === 'Idempotency-Key') || named.repeat === 'keyed';
  return {
    name,
    group,
    method: short ?? name,
    summary: named.summary ?? operation.summary,
    description: operation.description,
    http: { method: method.toUpperCase() as Uppercase<Method>, path },
    ids: operation.parameters.filter((one) => one.in === 'path').map((one) => one.name),
    arguments: request?.fields ?? query,
    sends: named.isUpload ? 'upload' : method === 'post' || request ? 'body' : 'query',
    fixed,
    repeat: isKeyed ? 'keyed' : (named.repeat ?? 'free'),
    answer: answer ?? '',
    list:
      isList && items?.type.kind === 'list' && items.type.of.kind === 'object'
        ? { field: items.name, item: items.type.of.name }
        : undefined,
  };
}

/** Name of the schema of a JSON body; undefined without one. */
function jsonOf(content: Readonly<Record<string, MediaType>> | undefined): string | undefined {
  return content?.['application/json']?.schema.$ref?.replace('#/components/schemas/', '');
}

function answerOf({ responses }: Operation): string | undefined {
  return ['200', '201'].map((status) => jsonOf(responses[status]?.content)).find((name) => name !== undefined);
}

/** Named objects, collected from schemas whose inner objects have no names. */
class Types {
  private readonly byName = new Map<string, ObjectType>();
  /** Names by shape: an object that the contract repeats is one type. */
  private readonly names: Map<string, string>;

  constructor(named: Readonly<Record<string, Schema>>) {
    this.names = new Map(Object.entries(named).map(([name, schema]) => [shapeOf(schema), name]));
  }

  get all(): readonly ObjectType[] {
    return [...this.byName.values()];
  }

  find(name: string | undefined): ObjectType | undefined {
    return name === undefined ? undefined : this.byName.get(name);
  }

  /** Adds an object and those in it, and returns its name. */
  add(name: string, schema: Schema, isRequest: boolean): string {
    const fields = Object.entries(schema.properties ?? {})
      .filter(([field]) => !HIDDEN.includes(field))
      .map(([field, property]) =>
        this.fieldOf(name, field, property as Schema, schema.required?.includes(field) ?? false, isRequest),
      );
    if (this.byName.has(name)) throw new Error(`Two types are called ${name}.`);
    this.byName.set(name, { name, isRequest, fields });
    return name;
  }

  fieldOf(owner: string, name: string, schema: Schema, isRequired: boolean, isRequest: boolean): Field {
    const given =
      BULK_ITEMS[name] && owner === 'SendBulkRequest' ? { type: 'array' as const, items: BULK_ITEMS[name] } : schema;
    const one = plain(given, isRequest);
    return {
      name,
      description: schema.description ?? '',
      type: this.typeOf(one, `${owner}${pascal(name)}`, isRequest),
      isRequired,
      isNullable: isNullable(schema),
    };
  }

  private typeOf(schema: Schema, name: string, isRequest: boolean): Type {
    if (schema.$ref) return { kind: 'object', name: schema.$ref.replace('#/components/schemas/', '') };
    if (schema.const !== undefined) return constantType(schema.const);
    if (schema.enum)
      return { kind: typeof schema.enum[0] === 'number' ? 'integer' : 'enum', values: schema.enum.map(String) };
    if (schema.type === 'array') {
      const items = plain(([schema.items ?? {}].flat()[0] ?? {}) as Schema, isRequest);
      return { kind: 'list', of: this.typeOf(items, singular(name), isRequest) };
    }
    if (schema.type === 'object' && !schema.properties) {
      return {
        kind: 'map',
        of: this.typeOf(plain((schema.additionalProperties ?? {}) as Schema, isRequest), name, isRequest),
      };
    }
    if (schema.type === 'object') {
      const shape = shapeOf(schema);
      const named = this.names.get(shape) ?? this.add(typeNames[name] ?? name, schema, isRequest);
      this.names.set(shape, named);
      return { kind: 'object', name: named };
    }
    if (schema.type === 'string') return { kind: schema.format === 'date-time' ? 'time' : 'text' };
    if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean')
      return { kind: schema.type };
    if (schema.type === undefined || Array.isArray(schema.type)) return { kind: 'any' };
    throw new Error(`${name} is of an unknown type.`);
  }
}

/** The fields and their types, without what is said about them. */
function shapeOf({ properties, required }: Schema): string {
  return JSON.stringify([properties, required], (key, value: unknown) => (key === 'description' ? undefined : value));
}

function constantType(value: unknown): Type {
  if (typeof value === 'boolean') return { kind: 'boolean', isNeverTrue: !value };
  return { kind: 'enum', values: [String(value)] };
}

const isNullable = (schema: Schema) =>
  [schema.type ?? []].flat().includes('null') || (schema.anyOf ?? []).some((one) => one.type === 'null');

/**
 * A schema without null and without the second forms that requests take because forms are texts.
 * Objects of which one is meant become one object whose fields are all optional.
 */
function plain(schema: Schema, isRequest: boolean): Schema {
  const { type: given, anyOf = [], ...rest } = schema;
  const types = [given ?? []].flat().filter((type) => type !== 'null');
  const kinds = (anyOf as readonly Schema[]).filter((one) => one.type !== 'null');
  if (kinds.length > 1 && kinds.every((one) => one.type === 'object')) {
    const properties = Object.fromEntries(kinds.flatMap((one) => Object.entries(one.properties ?? {})));
    return { ...rest, type: 'object', properties };
  }
  if (kinds[0]) return plain(kinds[0], isRequest);
  if (types.length > 1 && !(isRequest && types.some((type) => type === 'integer' || type === 'number'))) return rest;
  return { ...rest, ...(types[0] && { type: types.length > 1 ? 'integer' : types[0] }) };
}
