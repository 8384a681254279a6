import { prefersJson } from './otp.controller.js';

it.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;q=0.5',
  'text/html, application/json',
  'application/json, */*;q=0.5',
  'application/json, */*',
  'text/plain;q=0.5, application/json',
])('means JSON: %s', (accept) => expect(prefersJson(accept)).toBe(true));

it.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'text/plain',
  'text/html',
  'application/json;q=0',
  'application/jsonp',
  'application/json, text/plain, */*',
  'text/plain, application/json;q=0.9',
])('means plain text: %s', (accept) => expect(prefersJson(accept)).toBe(false));
