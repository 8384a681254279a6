import { ungrouped } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import { isOtpOrg } from './otp.js';

/** A code as typed: of an authenticator app, or a recovery code in its canonical form. */
export type TypedTotpCode = { readonly method: 'app' | 'recovery_code'; readonly code: string };

/**
 * Characters of recovery codes: Crockford's base 32, without the letters that look like a digit and U
 * (https://www.crockford.com/base32.html).
 */
export const recoveryAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A longer code was not typed by a person. */
const TYPED_UNITS_MAX = 64;
const APP_CODE = new RegExp(`^[0-9]{${limits.totpDigits}}$`);
const RECOVERY_CODE = new RegExp(`^[${recoveryAlphabet}]{${limits.totpRecoveryCodeCharacters}}$`);

/**
 * Returns a code as a person types or pastes it: digits in any script, letters in any case, grouped by spaces or
 * dashes; undefined for a text that cannot be a code. In recovery codes O is 0, and I and L are 1.
 */
export function typedTotpCodeOf(typed: string): TypedTotpCode | undefined {
  if (typed.length > TYPED_UNITS_MAX) return undefined;
  const code = ungrouped(typed).toUpperCase();
  if (APP_CODE.test(code)) return { method: 'app', code };
  const canonical = code.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return RECOVERY_CODE.test(canonical) ? { method: 'recovery_code', code: canonical } : undefined;
}

/**
 * Returns why an app could not show this label or issuer; undefined if it can. Neither contains a colon, which parts
 * them in the address (Key Uri Format, https://github.com/google/google-authenticator/wiki/Key-Uri-Format).
 */
export function totpNameFault(name: string, charactersMax: number): string | undefined {
  if ([...name].length > charactersMax) return `Too long: at most ${charactersMax} characters`;
  if (!isOtpOrg(name)) return 'must be one line of text';
  return name.includes(':') ? 'must not contain a colon' : undefined;
}
