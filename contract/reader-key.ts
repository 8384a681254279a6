import { z } from 'zod';

/** GET /api/dashboard/reader-key: the test key of who is signed in, for the samples of the documentation; null for nobody. */
export const readerKeyAnswer = z.object({ testKey: z.string().nullable() });
export type ReaderKeyAnswer = z.infer<typeof readerKeyAnswer>;
