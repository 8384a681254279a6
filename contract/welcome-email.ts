import { z } from 'zod';

/** Body of POST /api/welcomeemail. The mail goes to the session's own address; `to` may only name it. */
export const welcomeEmailBody = z.object({ to: z.string().max(320).optional() });
export type WelcomeEmailBody = z.infer<typeof welcomeEmailBody>;

/** Answer of POST /api/welcomeemail. */
export const welcomeEmailAnswer = z.object({ success: z.literal('true'), message: z.string() });
export type WelcomeEmailAnswer = z.infer<typeof welcomeEmailAnswer>;
