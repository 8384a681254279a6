import { z } from 'zod';
import { balanceAnswer } from '../credits.js';
import { failureAnswer, messageAnswer, messagesAnswer, messageView, sendSmsAnswer, sendSmsBody } from '../messages.js';
import { limits } from '../limits.js';
import { sendOtpBody, verifyOtpAnswer, verifyOtpBody } from '../otp.js';
import type { Schema } from './document.js';
import * as notes from './field-notes.js';

/** What is said of a field beyond its type. `required`: the call is refused without it, with a case of its own. */
export interface FieldNote {
  readonly description: string;
  readonly required?: boolean;
  /** Keywords that no zod check stands for. */
  readonly keywords?: Schema;
}

type Notes<S extends z.ZodObject> = Readonly<Record<keyof S['shape'] & string, FieldNote>>;

const body = <S extends z.ZodObject>(shape: S, about: Notes<S>) => described(jsonSchemaOf(shape, 'input'), about);
const answer = <S extends z.ZodObject>(shape: S, about: Notes<S>) => described(jsonSchemaOf(shape, 'output'), about);

const message = answer(messageView, notes.messageView);

/** The shapes of the contract as JSON Schema, by the names that the document gives them. */
export const schemas: Readonly<Record<string, Schema>> = {
  SendSmsRequest: body(sendSmsBody, notes.sendSmsBody),
  SendOtpRequest: body(sendOtpBody, notes.sendOtpBody),
  VerifyOtpRequest: body(verifyOtpBody, notes.verifyOtpBody),
  AcceptedMessage: answer(sendSmsAnswer, notes.acceptedAnswer),
  OtpVerdict: answer(verifyOtpAnswer, notes.verifyOtpAnswer),
  Message: message,
  MessageAnswer: answer(messageAnswer, { success: notes.success, ...notes.messageView }),
  MessagesAnswer: withProperty(answer(messagesAnswer, notes.messagesAnswer), 'messages', {
    description: notes.messagesAnswer.messages.description,
    type: 'array',
    maxItems: limits.messagesPageSize,
    items: { $ref: '#/components/schemas/Message' },
  }),
  Balance: answer(balanceAnswer, notes.balanceAnswer),
  Failure: answer(failureAnswer, notes.failureAnswer),
};

/** A shape as it crosses the wire. Answers may grow, so nothing says that they have no other fields. */
export function jsonSchemaOf(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      // The format says it; the pattern of all valid dates is for nobody to read.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
}

/** A field as its note has it; one that is required may not be empty. */
function described(schema: Schema, about: Readonly<Record<string, FieldNote>>): Schema {
  const required = Object.keys(about).filter((name) => about[name]?.required);
  const properties = Object.entries(about).map(([name, { description, keywords, required: isRequired }]) => {
    const given = schema.properties?.[name];
    if (typeof given !== 'object') throw new Error(`The shape has no field ${name}`);
    const kind: Schema = isRequired ? { type: 'string', minLength: 1 } : given;
    return [name, { description, ...kind, ...keywords }] as const;
  });
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function withProperty(schema: Schema, name: string, property: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, [name]: property } };
}
