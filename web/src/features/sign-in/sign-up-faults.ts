import type { SignUpFields } from '#contract/sign-up.js';

/** A sign-up error and where to show it. */
export interface ShownFault {
  readonly place: keyof SignUpFields | 'form';
  readonly text: string;
}

const places: Readonly<Record<string, keyof SignUpFields>> = {
  username_invalid: 'username',
  email_invalid: 'email',
  account_exists: 'email',
  password_invalid: 'password',
  password_common: 'password',
};

/**
 * Places the error of a code (contract/errors) beside its field, or below the form if it concerns
 * none.
 */
export function shownFault(code: string | undefined, text: string): ShownFault {
  return { place: places[code ?? ''] ?? 'form', text };
}
