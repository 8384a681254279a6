import { z } from 'zod';
import { limits } from './limits.js';

const url = z.string().min(1).max(limits.webhookUrlCharactersMax);
const mediaId = z.string().min(1).max(limits.searchedNumberCharactersMax);

/**
 * A file of a message: at a URL, which is fetched when the message is accepted, or uploaded before.
 */
export const mediaReference = z.union(
  [z.strictObject({ url }), z.strictObject({ media_id: mediaId })],
  'must be {"url": "…"} or {"media_id": "…"}',
);
export type MediaReference = z.infer<typeof mediaReference>;

/** A form has one text for each file, which is its URL or its id. */
const MEDIA_ID = /^ME[0-9a-f]{32}$/;

function referenceOfText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return MEDIA_ID.test(value) ? { media_id: value } : { url: value };
}

function referencesOf(value: unknown): unknown {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list) ? list.map(referenceOfText) : list;
}

/** Files of a message, in their order. A form repeats the field. */
const references = z
  .preprocess(
    referencesOf,
    z.array(mediaReference).max(limits.messageMediaMax, `may have at most ${limits.messageMediaMax} files`),
  )
  .nullish();

/**
 * Fallbacks where a country's networks do not take files: the message is refused, or becomes a text
 * that ends with links to its files.
 */
export const mediaFallbacks = ['refuse', 'link'] as const;
export type MediaFallback = (typeof mediaFallbacks)[number];

/** Advice to a caller where files are not taken. The dashboard has its own words for it. */
export const linkAdvice = '"media_fallback": "link" sends links in place of the files.';

/** Fields of a message, or of all messages of a bulk. */
export const mediaFields = {
  media: references,
  media_fallback: z.enum(mediaFallbacks).nullish(),
  /** True if pictures may be made smaller. A form sends it as text. */
  transcode: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
};

/**
 * A file of a message as it is sent. `url`: a signed link to it. `url` and `sha256` are null once
 * the file has been deleted. `original_id`: id of the original, present for a picture that was made
 * smaller or changed for the networks.
 */
export const messageMedia = z.object({
  media_id: z.string().length(34),
  url: z.string().nullable(),
  type: z.string(),
  bytes: z.int().positive(),
  sha256: z.string().length(64).nullable(),
  original_id: z.string().length(34).optional(),
});
export type MessageMedia = z.infer<typeof messageMedia>;

/** Body of POST /api/media as JSON or a form; a multipart body has the file itself. */
export const uploadMediaBody = z.object({ apikey: z.string().nullish(), url: z.string().nullish() });
export type UploadMediaBody = z.infer<typeof uploadMediaBody>;

/** Answer 200 of POST /api/media. A test key stores nothing (`test: true`). */
export const uploadMediaAnswer = z.object({
  success: z.literal('true'),
  media_id: z.string().length(34),
  type: z.string(),
  bytes: z.int().positive(),
  sha256: z.string().length(64),
  expires_at: z.iso.datetime(),
  test: z.literal(true).optional(),
});
export type UploadMediaAnswer = z.infer<typeof uploadMediaAnswer>;
