import {
  createdTotp,
  recoveryCodes,
  totpDeleted,
  totpPage,
  totpShown,
  lockedTotp,
  recoveredTotp,
  verifiedTotp,
} from '../examples.js';
import { limits } from '../limits.js';
import {
  createTotpAnswer,
  createTotpBody,
  recoveryCodesAnswer,
  totpAnswer,
  totpDeletedAnswer,
  totpsAnswer,
  totpView,
  verifyTotpAnswer,
  verifyTotpBody,
} from '../totp.js';
import type { Operation, Parameter, PathItem, Schema } from './document.js';
import { cursor, getCall, json, keyInQuery, postCall, ref, security, shows } from './operations.js';
import { rateLimitHeaders, refusalResponses, requestIdHeader } from './refusals.js';
import { answer, exampleNote, request, success } from './schemas.js';

const { totpTriesMax, totpLockMinutes, totpStepSeconds, totpDigits, totpRecoveryCodes } = limits;

const totpId = {
  description: 'Id of the authenticator: `TP` and 32 hex digits.',
  keywords: { pattern: '^TP[0-9a-f]{32}$' },
};
const apikey = { description: 'Your API key, unless it is sent as `Authorization: Bearer`.' };
const label = 'Names the person’s account in the app, such as an email address';
const issuer = 'Names you in the app';
const noColon = 'characters on one line, without a colon.';

const attemptsLeft = {
  description: `Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back.`,
};
const lockedUntil = { description: 'When the lock ends, in UTC; `null` unless it is locked now.' };
const codesLeft = { description: 'Recovery codes that were not used.' };

const totpNotes = {
  totp_id: totpId,
  label: { description: `${label}.` },
  issuer: { description: `${issuer}; \`null\` if you left it out.` },
  created_at: { description: 'When it was created, in UTC.' },
  verified_at: {
    description: 'When a code of the app was accepted first; `null` until then: the person may not have set it up.',
  },
  last_used_at: { description: 'When a code was accepted last, of the app or for recovery.' },
  attempts_left: attemptsLeft,
  locked_until: lockedUntil,
  recovery_codes_left: codesLeft,
};

/** Schemas of authenticators, by their names in the document. */
export const totpSchemas: Readonly<Record<string, Schema>> = {
  CreateTotpRequest: request(createTotpBody, {
    label: {
      description: `${label}: up to ${limits.totpLabelCharactersMax} ${noColon}`,
      required: true,
      keywords: { maxLength: limits.totpLabelCharactersMax },
    },
    issuer: {
      description: `${issuer}: up to ${limits.totpIssuerCharactersMax} ${noColon}`,
      keywords: { maxLength: limits.totpIssuerCharactersMax },
    },
    apikey,
  }),
  CreatedTotp: answer(createTotpAnswer, {
    success,
    totp_id: totpId,
    label: { description: `${label}.` },
    issuer: { description: `${issuer}; \`null\` if you left it out.` },
    secret: { description: 'The secret in base32, for people who type it into the app. It is not shown again.' },
    otpauth_url: { description: 'The address that adds it to the app on the same phone. It contains the secret.' },
    qr_svg: { description: 'The address as a QR code, an SVG image for your page. It contains the secret.' },
    created_at: { description: 'When it was created, in UTC.' },
    test: {
      description: 'Present if the key was a test key: nothing was stored, and the secret is that of all test keys.',
    },
  }),
  VerifyTotpRequest: request(verifyTotpBody, {
    code: {
      description:
        `The ${totpDigits} digits that the app shows, or a recovery code, as the person entered it: as text, because ` +
        'it may begin with 0. Spaces, dashes and small letters are read.',
      required: true,
    },
    apikey,
  }),
  TotpVerdict: answer(verifyTotpAnswer, {
    success,
    totp_id: totpId,
    status: {
      description:
        '`verified`: the code is right, and counts once. `wrong`: it is not, or is no code. `used`: it, or a later ' +
        `one, was accepted before. \`locked\`: ${totpTriesMax} codes were wrong, so none is looked at, right or ` +
        'wrong, until `locked_until`.',
    },
    method: {
      description:
        'The kind of code that was verified, or used before: `app` or `recovery_code`. `null` for other results.',
    },
    attempts_left: attemptsLeft,
    locked_until: lockedUntil,
    recovery_codes_left: codesLeft,
    test: { description: 'Present if the key was a test key: nothing was counted or stored.' },
  }),
  RecoveryCodes: answer(recoveryCodesAnswer, {
    success,
    totp_id: totpId,
    recovery_codes: { description: 'The codes. They are not shown again.' },
    test: { description: 'Present if the key was a test key: these are the codes of all test keys.' },
  }),
  Totp: answer(totpAnswer, { success, ...totpNotes, test: exampleNote }),
  ListedTotp: answer(totpView, totpNotes),
  TotpsAnswer: answer(totpsAnswer, {
    success,
    totps: {
      description: 'Your authenticators, newest first.',
      keywords: { maxItems: limits.totpsPageSize, items: ref('ListedTotp') },
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  TotpDeleted: answer(totpDeletedAnswer, {
    success,
    totp_id: totpId,
    deleted: { description: 'Its codes and recovery codes are not accepted any more.' },
    test: exampleNote,
  }),
};

const totpInPath: Parameter = {
  name: 'totp_id',
  in: 'path',
  required: true,
  description: 'The id that `POST /api/totp` returned.',
  schema: { type: 'string' },
};

type Call = Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses'>;

const tags = ['Authenticator apps'];

function get(call: Call, parameters: Parameter[]): PathItem {
  return getCall({ ...call, tags }, parameters);
}

function remove(call: Call, parameters: Parameter[]): PathItem {
  const { get: operation } = get(call, parameters);
  return operation ? { delete: operation } : {};
}

const KEY = 'YOUR_API_KEY';

/** Authenticators and their codes. */
export const totpPaths: Readonly<Record<string, PathItem>> = {
  '/api/totp': {
    ...postCall(
      {
        operationId: 'createTotp',
        tags,
        summary: 'Create an authenticator',
        description:
          `Makes a secret that you share with an authenticator app: codes of ${totpDigits} digits, a new one every ` +
          `${totpStepSeconds} seconds (RFC 6238 with SHA-1). The secret is shown once, as text, as an address and ` +
          'as a QR code. Ask for a code of the app before you rely on it. It is free, and an account has up to ' +
          `${limits.totpsMax.toLocaleString('en-US')}.`,
        responses: {
          ...shows('CreatedTotp', 'The authenticator, with its secret.', createdTotp),
          ...refusalResponses('createTotp', [400, 413, 415]),
        },
      },
      'CreateTotpRequest',
      { label: 'alice@example.com', issuer: 'Acme', apikey: KEY },
    ),
    ...get(
      {
        operationId: 'listTotps',
        summary: 'List authenticators',
        description: `Your authenticators without their secrets, newest first, ${limits.totpsPageSize} per page.`,
        responses: {
          ...shows('TotpsAnswer', 'A page of authenticators.', totpPage),
          ...refusalResponses('listTotps', [400]),
        },
      },
      [{ ...cursor, description: '`next_cursor` of the previous page.' }, keyInQuery],
    ),
  },
  '/api/totp/{totp_id}': {
    ...get(
      {
        operationId: 'findTotp',
        summary: 'Show an authenticator',
        description: 'Its state, never its secret. Authenticators of other accounts are not found.',
        responses: {
          ...shows('Totp', 'The current state of the authenticator.', totpShown),
          ...refusalResponses('findTotp', [400]),
        },
      },
      [totpInPath, keyInQuery],
    ),
    ...remove(
      {
        operationId: 'deleteTotp',
        summary: 'Delete an authenticator',
        description:
          'Deletes the secret and the recovery codes at once. The app still shows codes, which are not found.',
        responses: {
          ...shows('TotpDeleted', 'The authenticator is gone.', totpDeleted),
          ...refusalResponses('deleteTotp', [400, 413, 415]),
        },
      },
      [totpInPath, keyInQuery],
    ),
  },
  '/api/totp/{totp_id}/verify': postCall(
    {
      operationId: 'verifyTotp',
      tags,
      summary: 'Verify a code of an app',
      description:
        'Verifies a code of the app, or a recovery code. A code of the app is accepted while it is shown, and ' +
        `${totpStepSeconds} seconds before and after, for clocks that differ; each once, in their order. After ` +
        `${totpTriesMax} wrong codes it is locked for ${totpLockMinutes} minutes. It costs nothing.`,
      responses: {
        200: {
          description: 'Result of the verification.',
          headers: { ...requestIdHeader, ...rateLimitHeaders },
          content: { 'application/json': json('TotpVerdict', verifiedTotp, recoveredTotp, lockedTotp) },
        },
        ...refusalResponses('verifyTotp', [400, 413, 415]),
      },
    },
    'VerifyTotpRequest',
    { code: '287082', apikey: KEY },
    [totpInPath],
  ),
  '/api/totp/{totp_id}/recovery-codes': {
    post: {
      operationId: 'replaceRecoveryCodes',
      tags,
      summary: 'Make recovery codes',
      description:
        `Makes ${totpRecoveryCodes} codes for a person who has lost the phone, in place of earlier ones. They are ` +
        'shown once. Each is accepted once, by the call that verifies codes of the app.',
      responses: {
        ...shows('RecoveryCodes', 'The codes.', recoveryCodes),
        ...refusalResponses('replaceRecoveryCodes', [400, 413, 415]),
      },
      security,
      parameters: [totpInPath],
    },
  },
};
