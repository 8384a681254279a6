import type { ValueTransformer } from 'typeorm';

/**
 * Maps a `bigint` column, which pg returns as text, to a number. For values below 2^53: counts,
 * credits and numbers of rows.
 */
export const bigintAsNumber: ValueTransformer = {
  from: (stored: string | null | undefined) => (typeof stored === 'string' ? Number(stored) : stored),
  to: (value: unknown) => value,
};
