import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import { limits } from '#contract/limits.js';

/** RFC 4226, section 4 (R6): 160 bits. */
const SECRET_BYTES = 20;
/** Modules around a QR code (ISO/IEC 18004, section 6.3.8). */
const QUIET_MODULES = 4;
/**
 * Length of a text up to which the best of the eight masks is looked for. The search costs eight times the rest, which
 * would hold up the process for 25 ms with the longest names.
 */
const BEST_MASK_CHARACTERS_MAX = 400;
const ANY_MASK = 3;

const parameters = { algorithm: 'SHA1', digits: limits.totpDigits, period: limits.totpStepSeconds } as const;

/** Names that an app shows beside its codes. */
export interface TotpNames {
  readonly label: string;
  readonly issuer: string | null;
}

/** Returns a random secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * Returns the time step (RFC 6238) whose code this is, among the current one and those within the drift; undefined
 * for other codes.
 */
export function stepOfCode(secret: string, code: string, at: Date): number | undefined {
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) });
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: limits.totpDriftSteps });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Returns the address that adds an authenticator to an app (Key Uri Format). */
export function otpauthUrl(secret: string, { label, issuer }: TotpNames): string {
  const named = issuer === null ? { label } : { label, issuer };
  return new TOTP({ ...parameters, ...named, secret: Secret.fromBase32(secret) }).toString();
}

/** Returns a QR code as SVG of one unit per module, dark modules of a row in one rectangle. */
export function qrSvg(text: string): string {
  const mask = text.length > BEST_MASK_CHARACTERS_MAX ? { maskPattern: ANY_MASK } : {};
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES, ...mask });
  const rows = data.map((row, y) => {
    const runs = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...runs.matchAll(/1+/g)]
      .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
      .join('');
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${rows.join('')}"/></svg>`
  );
}
