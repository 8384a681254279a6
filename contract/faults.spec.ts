import { z } from 'zod';
import { faultText } from './faults.js';

describe('faultText', () => {
  const text = z.string();
  const number = z.union([z.string(), z.number()]);

  it.each<[given: unknown, schema: z.ZodType, expected: string]>([
    [undefined, text, 'is missing'],
    [null, text, 'must be text, not null'],
    [['a'], text, 'must be text, not a list: send it once'],
    [{}, text, 'must be text, not an object'],
    [true, text, 'must be text, not true or false'],
    [12025550143, text, 'must be text in quotation marks, not a number'],
    [undefined, number, 'is missing'],
    [['1'], number, 'must be text or a number, not a list: send it once'],
    [true, number, 'must be text or a number, not true or false'],
    ['1', z.number(), 'must be a number, not text'],
    [1.5, z.int(), 'must be a whole number'],
    ['abc', z.coerce.number().int(), 'must be a number'],
    ['true', z.boolean(), 'must be true or false, not text'],
    ['a', z.array(text), 'must be a list, not text'],
    [['a'], z.object({}), 'must be an object, not a list'],
    ['b', z.enum(['a']), 'must be "a"'],
    ['GSM7', z.enum(['auto', 'gsm7', 'smart']), 'must be "auto", "gsm7" or "smart"'],
    ['no', z.email(), 'must be an email address'],
    ['no', z.url(), 'must be a URL'],
    ['no', z.uuid(), 'must be an id in the form of a UUID'],
    ['no', z.iso.date(), 'must be a day, YYYY-MM-DD'],
    ['no', z.iso.datetime(), 'must be a date and time with an offset, YYYY-MM-DDThh:mm:ssZ'],
    ['no', z.string().regex(/^a$/), 'has the wrong form'],
    ['', z.string().min(1), 'must not be empty'],
    ['a', z.string().min(2), 'must have at least 2 characters'],
    ['aaa', z.string().max(2), 'may have at most 2 characters'],
    [[], z.array(text).min(1), 'must have at least one item'],
    [['a', 'b'], z.array(text).max(1), 'may have at most 1 item'],
    [0, z.number().min(1), 'must be at least 1'],
    [0, z.number().positive(), 'must be more than 0'],
    [6_000, z.number().max(5_000), 'must be at most 5,000'],
    [7, z.number().lt(7), 'must be less than 7'],
    [7, z.number().multipleOf(2), 'must be a multiple of 2'],
    [{ a: 1, b: 2 }, z.strictObject({}), 'has no field "a" or "b"'],
    [{ ['\u202e'.repeat(200)]: 1 }, z.strictObject({}), `has no field "${'\ufffd'.repeat(80)}"`],
    ['own', z.string().max(2, 'is our own text'), 'is our own text'],
  ])('of %j', (given, schema, expected) => {
    expect(schema.safeParse(given, { error: faultText }).error?.issues[0]?.message).toBe(expected);
  });
});
