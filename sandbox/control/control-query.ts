import { z } from 'zod';
import { numberOf } from '../carriers/message.js';

const BODY_CHARACTERS_MAX = 1600;

/**
 * A number in a query, where an unescaped plus sign arrives as a space; the prefix of WhatsApp is
 * left out.
 */
export const queryNumber = z.string().transform((text) =>
  numberOf(text.trim())
    .trim()
    .replace(/^(?=\d{7})/, '+'),
);

/** The text of a reply. Half a surrogate pair has no UTF-8 form: it would be replaced after signing. */
export const chatText = z
  .string()
  .max(BODY_CHARACTERS_MAX, `must have up to ${BODY_CHARACTERS_MAX} characters`)
  .overwrite((text) => Buffer.from(text, 'utf8').toString('utf8'));
