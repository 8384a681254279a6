import { z } from 'zod';

/** GET /auth/me, and what a sign-in with a password answers. */
export const sessionAnswer = z.object({ id: z.uuid(), email: z.string(), displayName: z.string() });
export type SessionAnswer = z.infer<typeof sessionAnswer>;
