import { z } from 'zod';

/**
 * Maximum of files of one message that are read of an event; files beyond ten are refused one by
 * one.
 */
const FILES_MAX = 20;
const URL_CHARACTERS_MAX = 2_048;

/** Telnyx keeps media in its own storage (https://developers.telnyx.com/docs/cloud-storage). */
const storageDomains: readonly string[] = ['telnyx.com', 'telnyxcloudstorage.com', 'telnyxstorage.com'];

/**
 * Returns the headers for one of Telnyx's URLs of media, which need no credentials; undefined for
 * other URLs.
 */
export function mediaHeaders(url: URL, apiUrl: string): Record<string, string> | undefined {
  if (url.origin === new URL(apiUrl).origin) return {};
  if (url.protocol !== 'https:' || url.port !== '') return undefined;
  return storageDomains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`))
    ? {}
    : undefined;
}

const file = z
  .object({
    url: z.string().max(URL_CHARACTERS_MAX).catch(''),
    content_type: z
      .string()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+$/)
      .optional()
      .catch(undefined),
  })
  .catch({ url: '', content_type: undefined })
  .transform(({ url, content_type: type }) => ({ url, type }));

/**
 * The `media` of `message.received`. A file without a usable URL counts as a file that cannot be
 * fetched.
 */
export const telnyxMedia = z
  .array(file)
  .nullish()
  .transform((files) => (files ?? []).slice(0, FILES_MAX))
  .catch([]);
