/** Millionths of a US dollar, exact: carriers charge fractions of a cent. */

const USD = 1_000_000n;

/**
 * Parses dollars such as '0.0079' to millionths, rounded half up. Returns undefined for anything
 * but a decimal number from 0 below a trillion.
 */
export function microusdOf(dollars: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(dollars) ?? [];
  if (whole === undefined) return undefined;
  const digits = fraction.padEnd(7, '0');
  return BigInt(whole) * USD + BigInt(digits.slice(0, 6)) + (digits.charAt(6) >= '5' ? 1n : 0n);
}

/** Formats millionths as dollars with six decimals: '-0.004000'. */
export function dollarsOf(microusd: bigint): string {
  const positive = microusd < 0n ? -microusd : microusd;
  const fraction = String(positive % USD).padStart(6, '0');
  return `${microusd < 0n ? '-' : ''}${positive / USD}.${fraction}`;
}
