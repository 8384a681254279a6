import { z } from 'zod';
import { limits } from './limits.js';
import { typedName } from './names.js';
import { plugProducts } from './plug-products.js';

/** Path of a field in a JSON body, such as `$.user.phone` (the names alone, RFC 9535). */
const fieldPath = z
  .string()
  .trim()
  .max(limits.plugPathCharactersMax)
  .regex(/^\$(\.[A-Za-z_][A-Za-z0-9_-]*){1,5}$/, 'must be a path such as $.to or $.user.phone');

/** How the calls of a product become messages. */
export const plugSettings = z.object({
  product: z.enum(plugProducts),
  /** Name of the organization in the text; null for none. */
  org: typedName(limits.otpOrgCharactersMax).nullable(),
  /** Fields with the recipient and the code, for the product `otp`. */
  toPath: fieldPath,
  codePath: fieldPath,
});
export type PlugSettings = z.infer<typeof plugSettings>;

const secret = z.string().trim().min(1).max(limits.plugSecretCharactersMax);

/** Body of POST /api/dashboard/plugs. `secret`: the product's own, for those that sign. */
export const createPlugBody = z.object({
  name: typedName(limits.keyNameCharactersMax),
  product: plugSettings.shape.product,
  org: plugSettings.shape.org.default(null),
  toPath: fieldPath.default('$.to'),
  codePath: fieldPath.default('$.code'),
  secret: secret.optional(),
});
export type CreatePlugBody = z.input<typeof createPlugBody>;

/** Body of POST /api/dashboard/plugs/{id}/rotate. */
export const rotatePlugBody = z.object({ secret: secret.optional() });
export type RotatePlugBody = z.infer<typeof rotatePlugBody>;

/**
 * A plug: the named key `keyId` sends the calls that arrive at `address`. `lastResult` is `sent` or the code of an
 * error. `isSigned` is false until the account has given the product's secret.
 */
export const plugView = plugSettings.extend({
  keyId: z.uuid(),
  name: z.string(),
  address: z.string(),
  isSigned: z.boolean(),
  oldSecretEndsAt: z.iso.datetime().nullable(),
  lastCallAt: z.iso.datetime().nullable(),
  lastResult: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type PlugView = z.infer<typeof plugView>;

/** Answer of /api/dashboard/plugs. */
export const plugsAnswer = z.object({ plugs: z.array(plugView) });
export type PlugsAnswer = z.infer<typeof plugsAnswer>;

/** Answer to creating and rotating: `secret` is shown once, and null where the account gave it. */
export const plugSecretAnswer = plugsAnswer.extend({ keyId: z.uuid(), secret: z.string().nullable() });
export type PlugSecretAnswer = z.infer<typeof plugSecretAnswer>;
