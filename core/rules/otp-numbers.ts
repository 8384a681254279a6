import { limits } from '#contract/limits.js';

/** How long a code lives, in minutes; undefined for what is no whole number within the bounds. A form sends text. */
export function otpMinutesOf(limit: string | number | null | undefined): number | undefined {
  return wholeNumberOf(limit, limits.otpMinutesMin, limits.otpMinutesMax, limits.otpMinutesDefault);
}

/** How many digits a code has; undefined for what is no whole number within the bounds. */
export function otpDigitsOf(length: string | number | null | undefined): number | undefined {
  return wholeNumberOf(length, limits.otpDigitsMin, limits.otpDigitsMax, limits.otpDigitsDefault);
}

const WHOLE = /^[1-9]\d?$/;

function wholeNumberOf(
  given: string | number | null | undefined,
  min: number,
  max: number,
  fallback: number,
): number | undefined {
  if (given === null || given === undefined) return fallback;
  if (!WHOLE.test(String(given))) return undefined;
  const number = Number(given);
  return number >= min && number <= max ? number : undefined;
}
