import { join } from 'node:path';

/** The repository under test. */
export const repository = join(import.meta.dirname, '..', '..');
