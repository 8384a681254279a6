import { fileNameOf, mediaTypeOf, retryAfterOf, sha256Of } from './headers.js';

const now = new Date('2026-11-28T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 28 Nov 2026 12:02:00 GMT', 120],
    ['Saturday, 28-Nov-26 12:02:00 GMT', 120],
    ['Sat Nov 28 12:02:00 2026', 120],
    ['Sun Dec  6 12:00:00 2026', 8 * 86_400],
    ['Sat, 28 Nov 2026 11:00:00 GMT', 0],
    // Two digits of a year that would be too far ahead.
    ['Monday, 28-Nov-77 12:02:00 GMT', 0],
    ['-5', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    ['soon', undefined],
    ['Sat, 28 Nuv 2026 12:02:00 GMT', undefined],
    ['', undefined],
  ])('of %j is %j seconds', (value, seconds) => {
    expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBe(seconds);
  });

  it('of a date is compared with the date of the answer, whose clock it is by', () => {
    const headers = { 'retry-after': 'Sat, 28 Nov 2026 13:00:30 GMT', date: 'Sat, 28 Nov 2026 13:00:00 GMT' };
    expect(retryAfterOf(new Headers(headers), now)).toBe(30);
  });

  it('may be missing', () => {
    expect(retryAfterOf(new Headers(), now)).toBeUndefined();
  });
});

describe('a file', () => {
  it.each([
    ['image/png', 'image/png'],
    ['IMAGE/PNG ; charset=binary', 'image/png'],
    ['', undefined],
  ])('with the type %j is %j', (value, type) => {
    expect(mediaTypeOf(new Headers({ 'content-type': value }))).toBe(type);
  });

  it.each([
    ['attachment; filename="ME1.gif"', 'ME1.gif'],
    ['inline; Filename = ME1.gif; size=3', 'ME1.gif'],
    ['attachment; filename="a \\"b\\".gif"', 'a "b".gif'],
    ["attachment; filename=a.gif; filename*=UTF-8''Zo%C3%AB.gif", 'Zoë.gif'],
    ["attachment; filename=a.gif; filename*=utf-8'en'%FF.gif", 'a.gif'],
    ['attachment; filename="../../.ssh/config"', 'config'],
    ['attachment', undefined],
  ])('with the disposition %j has the name %j', (value, name) => {
    expect(fileNameOf(new Headers({ 'content-disposition': value }))).toBe(name);
  });

  it.each([
    ['sha-256=:AAAA:', 'AAAA'],
    ['sha-512=:BBBB:, sha-256=:AAAA:;q=1', 'AAAA'],
    ['x-sha-256=:BBBB:', undefined],
  ])('with the digest %j has %j', (value, digest) => {
    expect(sha256Of(new Headers({ 'repr-digest': value }))).toBe(digest);
  });
});
