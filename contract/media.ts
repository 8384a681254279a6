import { z } from 'zod';
import { limits } from './limits.js';

/**
 * `pending`: not copied from the carrier yet. `stored`: it can be opened. `failed`: it could not be
 * stored. `expired`: it has been deleted.
 */
export const mediaStates = ['pending', 'stored', 'failed', 'expired'] as const;
export type MediaStatus = (typeof mediaStates)[number];

/** Reasons why a file could not be stored. */
export const mediaReasonCodes = ['too_large', 'too_many', 'gone', 'foreign', 'unreachable', 'day_full'] as const;
export type MediaReason = (typeof mediaReasonCodes)[number];

/** Texts of these reasons for the account's owner. */
export const mediaReasons: Readonly<Record<MediaReason, string>> = {
  too_large: `It is larger than ${limits.replyMediaBytesMax / 1_048_576} MB.`,
  too_many: `A message has at most ${limits.replyMediaMax} files.`,
  gone: 'The carrier did not have it any more.',
  foreign: 'The carrier named no address of its own for it.',
  unreachable: 'The carrier did not give it for three days.',
  day_full: 'Your account had received as many files as it can in a day.',
};

/** A file of a message, on our pages. `url` is a signed link; null unless it is stored. */
export const mediaView = z.object({
  id: z.string().length(34),
  status: z.enum(mediaStates),
  /** Reason why it could not be stored. */
  reason: z.string().nullable(),
  /** Type by the file's bytes; the carrier's type while the file is pending. */
  type: z.string().nullable(),
  bytes: z.int().nonnegative().nullable(),
  sha256: z.string().nullable(),
  /** True if there is a small picture of it. */
  thumbnail: z.boolean(),
  url: z.string().nullable(),
});
export type MediaView = z.infer<typeof mediaView>;

/** A file in the body of `message.received`; `Url` is a signed link for seven days. */
export const receivedMedia = z.object({
  Id: z.string().length(34),
  Url: z.string().nullable(),
  Type: z.string().nullable(),
  Bytes: z.int().nonnegative().nullable(),
  Sha256: z.string().nullable(),
  Status: z.enum(mediaStates),
});
export type ReceivedMedia = z.infer<typeof receivedMedia>;

/** A file in the data of `message.media_ready`. */
export const readyMedia = z.object({
  media_id: z.string().length(34),
  url: z.string().nullable(),
  type: z.string().nullable(),
  bytes: z.int().nonnegative().nullable(),
  sha256: z.string().nullable(),
  status: z.enum(mediaStates),
});
export type ReadyMedia = z.infer<typeof readyMedia>;

/** Query of GET /api/media/{media_id}. */
export const mediaQuery = z.object({ apikey: z.string().optional() });

const kinds: readonly (readonly [form: RegExp, one: string, more: string])[] = [
  [/^image\//, 'Picture', 'pictures'],
  [/^video\//, 'Video', 'videos'],
  [/^audio\//, 'Recording', 'recordings'],
  [/^text\/vcard$/, 'Contact', 'contacts'],
];

/**
 * Names the files of a message, as 'Picture', '3 pictures' or '2 files', to replace an empty text.
 * Undefined without files.
 */
export function mediaInWords(media: readonly { readonly type: string | null }[]): string | undefined {
  if (media.length === 0) return undefined;
  const [, one, more] = kinds.find(([form]) => media.every(({ type }) => form.test(type ?? ''))) ?? [
    0,
    'File',
    'files',
  ];
  return media.length === 1 ? one : `${media.length} ${more}`;
}
