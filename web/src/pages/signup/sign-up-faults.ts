import type { SignUpFields } from '#contract/sign-up-fields.js';

/** What is wrong with a sign-up, and beside which field that is said. */
export interface ShownFault {
  readonly place: keyof SignUpFields | 'form';
  readonly text: string;
}

const places: Readonly<Record<string, keyof SignUpFields>> = {
  email_invalid: 'email',
  account_exists: 'email',
  password_invalid: 'password',
};

/** Where the fault of this code (contract/errors) belongs; what is about no single field stands below them all. */
export function shownFault(code: string | undefined, text: string): ShownFault {
  return { place: places[code ?? ''] ?? 'form', text };
}
