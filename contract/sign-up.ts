import { z } from 'zod';

const field = z.string().nullish();

/** POST /auth/signup. A field that is missing is as an empty one. */
export const signUpBody = z.object({ username: field, email: field, password: field });
export type SignUpBody = z.infer<typeof signUpBody>;

/** POST /auth/login. */
export const logInBody = z.object({ email: field, password: field });
export type LogInBody = z.infer<typeof logInBody>;

/** What a sign-up answers; `notice` when the free credits could not be written yet. */
export const signUpAnswer = z.object({
  id: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  notice: z.string().optional(),
});
export type SignUpAnswer = z.infer<typeof signUpAnswer>;
