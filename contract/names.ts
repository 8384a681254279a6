import { z } from 'zod';
import { normalized } from './characters.js';
import { isName } from './sign-up.js';

/**
 * A name that a person types for a thing of the account: one line of visible text. Its letters are
 * composed (NFC), so that a name typed on another system is the same name.
 */
export function typedName(charactersMax: number) {
  return z
    .string()
    .overwrite((text) => normalized(text, 'NFC'))
    .trim()
    .max(charactersMax)
    .refine(isName, 'must be one line of visible text');
}
