import type { SignUpFields } from '#contract/sign-up.js';
import type { Faults } from '../../ui/form.js';

const places: Readonly<Record<string, keyof SignUpFields>> = {
  username_invalid: 'username',
  email_invalid: 'email',
  account_exists: 'email',
  password_invalid: 'password',
  password_common: 'password',
};

/**
 * Places the error of a code (contract/errors) beside its field, or else below the form.
 */
export function shownFault(code: string | undefined, text: string): Faults<keyof SignUpFields | 'form'> {
  return { [places[code ?? ''] ?? 'form']: text };
}
