import fc from 'fast-check';
import { v4, v7, validate, version } from 'uuid';
import {
  instantOfUuidV7,
  messageIdFromPublic,
  newMessageId,
  publicMessageId,
  publicWebhookId,
  unknownIdText,
  uuidV7Floor,
  webhookIdFromPublic,
} from './ids.js';

const instants = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });

describe('newMessageId', () => {
  it('returns lower-case dashed UUIDs of version 7', () => {
    const id = newMessageId();
    expect(validate(id) && version(id) === 7 && id === id.toLowerCase()).toBe(true);
  });

  it('returns strictly increasing ids', () => {
    const ids = Array.from({ length: 20_000 }, newMessageId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('publicMessageId', () => {
  it('is SM and 32 hex digits, 34 characters', () => {
    expect(publicMessageId('019aa3b0-1c2d-7e3f-8a4b-5c6d7e8f9012')).toBe('SM019aa3b01c2d7e3f8a4b5c6d7e8f9012');
    expect(publicMessageId(newMessageId())).toHaveLength(34);
  });

  it('converts back to its UUID', () => {
    const id = newMessageId();
    expect(messageIdFromPublic(publicMessageId(id))).toBe(id);
  });

  it.each([
    ['nothing', ''],
    ['a UUID with dashes', 'SM019aa3b0-1c2d-7e3f-8a4b-5c6d7e8f9012'],
    ['upper-case digits', 'SM019AA3B01C2D7E3F8A4B5C6D7E8F9012'],
    ['another prefix', 'MM019aa3b01c2d7e3f8a4b5c6d7e8f9012'],
    ['a lower-case prefix', 'sm019aa3b01c2d7e3f8a4b5c6d7e8f9012'],
    ['a digit too few', 'SM019aa3b01c2d7e3f8a4b5c6d7e8f901'],
    ['a digit too many', 'SM019aa3b01c2d7e3f8a4b5c6d7e8f90123'],
    ['a line break at the end', 'SM019aa3b01c2d7e3f8a4b5c6d7e8f9012\n'],
    ['a wrong variant', 'SM019aa3b01c2d7e3fca4b5c6d7e8f9012'],
    ['version 4', publicMessageId(v4())],
  ])('is not parsed from %s', (_name, text) => {
    expect(messageIdFromPublic(text)).toBeUndefined();
  });
});

describe('instants in ids', () => {
  it('returns a floor of version 7 for every instant that converts back to it', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const floor = uuidV7Floor(at);
        expect(validate(floor) && version(floor) === 7).toBe(true);
        expect(instantOfUuidV7(floor)).toEqual(at);
      }),
    );
  });

  it('returns floors that enclose every id of their millisecond', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const id = v7({ msecs: at.getTime() });
        expect(id >= uuidV7Floor(at) && id < uuidV7Floor(new Date(at.getTime() + 1))).toBe(true);
        expect(instantOfUuidV7(id)).toEqual(at);
      }),
    );
  });

  it('rejects instants before 1970 and other UUID versions', () => {
    expect(() => uuidV7Floor(new Date(-1))).toThrow(RangeError);
    expect(() => uuidV7Floor(new Date(NaN))).toThrow(RangeError);
    expect(() => instantOfUuidV7(v4())).toThrow(RangeError);
  });
});

describe('publicWebhookId', () => {
  it('is msg_ and the 32 hex digits of its UUID, and converts back to it', () => {
    const id = newMessageId();
    expect(publicWebhookId(id)).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(webhookIdFromPublic(publicWebhookId(id))).toBe(id);
  });

  it.each([
    '',
    'msg_',
    `msg_${'0'.repeat(32)}`,
    publicMessageId(newMessageId()),
    `${publicWebhookId(newMessageId())}0`,
  ])('is not parsed from %j', (text) => {
    expect(webhookIdFromPublic(text)).toBeUndefined();
  });
});

describe('unknownIdText', () => {
  it.each([
    ['message', 'YOUR_MESSAGE_ID', 'YOUR_MESSAGE_ID is a placeholder: put the id of a message of yours in its place.'],
    [
      'one-time password',
      'OTP_ID',
      'OTP_ID is a placeholder: put the id of a one-time password of yours in its place.',
    ],
    ['batch', 'BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', 'This account has no batch with this id.'],
    ['message', 'order-1042', 'This account has no message with this id.'],
  ] as const)('of a %s %j: %s', (what, id, text) => {
    expect(unknownIdText(what, id)).toBe(text);
  });
});
