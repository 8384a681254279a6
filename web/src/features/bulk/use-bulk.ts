import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkQuoteAnswer, RejectedItem } from '#contract/bulk.js';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { smartText } from '#contract/sms-characters.js';
import { creditsQuery, keysQuery, sessionQuery } from '../../api/account.js';
import { ApiFailure, failureOf } from '../../api/api-failure.js';
import { batchesKey, quoteBulk, rejectedIn, sendBulk } from '../../api/messages.js';
import type { StoredFile } from '../composer/files.js';
import { mediaFieldsOf } from '../composer/send-message.js';
import { mayHaveBeenSent, newIdempotencyKey } from '../composer/attempts.js';
import { useLiveEvent, useTrailing } from '../../dashboard/live/live-events.js';
import { paths } from '../../paths.js';
import type { Csv } from '#contract/csv.js';
import { type Mapping, type Recipient, recipientsOf } from './recipients.js';
import { contentName, type UnansweredBulks } from './unanswered.js';

/** Sending options of a bulk. */
export interface BulkOptions {
  readonly encoding: SmsEncoding;
  /** A number or the id of a pool; undefined for the best sender. */
  readonly from: string | undefined;
  /** Send time, RFC 3339; at once if undefined. */
  readonly sendAt: string | undefined;
  /** Ids of the files of each message. */
  readonly media: readonly string[];
  /** Sends links where files cannot be sent. */
  readonly asLinks: boolean;
}

/** Content of the form. */
interface BulkDraft extends Omit<BulkOptions, 'media'> {
  readonly files: readonly StoredFile[];
  readonly table: Csv;
  readonly mapping: Mapping;
  readonly message: string;
  /** Reference of messages whose row lacks a reference; '' for none. */
  readonly reference: string;
}

/** The bulk that would be sent, as quoted by the server. */
export interface BulkPreview {
  readonly draft: BulkDraft;
  /** The options of the draft, or of the earlier attempt. */
  readonly options: BulkOptions;
  /** Name of recipients and message, by {@link contentName}. */
  readonly content: string;
  /** Time of an earlier, unanswered attempt with the same content, in milliseconds. */
  readonly unansweredAt: number | undefined;
  readonly lines: readonly number[];
  readonly rejected: readonly RejectedItem[];
  /** Recipients that are not rejected. */
  readonly recipients: readonly Recipient[];
  /** The price for all recipients. */
  readonly credits: number;
  readonly balance: number;
  /** The message with plain characters, and its price, where the message has other characters. */
  readonly plain: { readonly message: string; readonly credits: number } | undefined;
}

type Answer = Pick<BulkQuoteAnswer, 'rejected' | 'credits' | 'balance'>;

/**
 * Quotes a bulk, which sends and charges nothing. An unanswered bulk is not checked again: it may
 * have changed the balance, and the part that is no longer covered must not become another bulk.
 */
export function usePreview(unanswered: UnansweredBulks) {
  const client = useQueryClient();
  const withKey = useApiKey();
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: async (draft: BulkDraft): Promise<BulkPreview> => {
      const { message, encoding, from, reference, sendAt, files, asLinks } = draft;
      const { recipients, lines } = recipientsOf(draft.table, draft.mapping, message, reference);
      checkSize({ message, recipients });
      const session = await client.ensureQueryData(sessionQuery);
      const digests = files.map(({ sha256 }) => sha256);
      const content = contentName([
        session?.id,
        message,
        recipients,
        ...(digests.length > 0 ? [digests, asLinks] : []),
      ]);
      const earlier = unanswered.find(content);
      const options = {
        encoding: earlier?.encoding ?? encoding,
        from: earlier ? earlier.from : from,
        sendAt: earlier ? earlier.sendAt : sendAt,
        // Files get other ids when they are uploaded again.
        media: earlier?.media ?? files.map(({ mediaId }) => mediaId),
        asLinks,
      };
      const quote = (text: string) =>
        withKey((apikey) => quoteBulk({ ...bodyOf(text, recipients, options), partial: true, apikey }));
      const check = async (): Promise<Answer> => {
        try {
          return await quote(message);
        } catch (cause) {
          const rejected = rejectedIn(cause);
          if (!rejected) throw cause;
          const { balance } = await client.fetchQuery({ ...creditsQuery, staleTime: 0 });
          return { rejected: [...rejected], credits: 0, balance };
        }
      };
      const { rejected: items, credits, balance } = earlier ?? (await check());
      const rejected = items.map((item) => ({ ...item, to: recipients[item.index]?.to ?? '' }));
      const plain = smartText(message);
      const hasPlain = !earlier && encoding === 'auto' && plain !== message && credits > 0;
      const isRejected = new Set(rejected.map(({ index }) => index));
      return {
        draft,
        options,
        content,
        unansweredAt: earlier?.at,
        lines,
        rejected,
        credits,
        balance,
        plain: hasPlain ? { message: plain, credits: (await quote(plain)).credits } : undefined,
        recipients: recipients.filter((_one, at) => !isRejected.has(at)),
      };
    },
  });
  return { check: mutate, reset, isChecking: isPending, preview: data, failure: error ? failureOf(error) : undefined };
}

/**
 * Sends the previewed bulk, whole or not at all, and only at the confirmed price. A retry of a bulk
 * that may have been sent reuses its idempotency key.
 */
export function useSendBulk(unanswered: UnansweredBulks, onChanged: () => void) {
  const client = useQueryClient();
  const withKey = useApiKey();
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: async ({ draft: { message }, options, content, recipients, ...preview }: BulkPreview) => {
      const { rejected, credits, balance } = preview;
      const { idempotencyKey = newIdempotencyKey(), at = Date.now() } = unanswered.find(content) ?? {};
      const body = { ...bodyOf(message, recipients, options), max_credits: credits };
      unanswered.keep(content, {
        idempotencyKey,
        at,
        ...options,
        media: [...options.media],
        credits,
        balance,
        rejected: rejected.map(({ index, code, detail }) => ({ index, code, detail })),
      });
      try {
        const answer = await withKey((apikey) => sendBulk({ ...body, apikey, idempotencyKey }));
        unanswered.forget(content);
        return { ...answer, sendAt: options.sendAt };
      } catch (cause) {
        if (!mayHaveBeenSent(failureOf(cause))) unanswered.forget(content);
        throw cause;
      }
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: batchesKey }),
    onError: (cause) => {
      if (hasChanged(failureOf(cause))) onChanged();
    },
  });
  return { send: mutate, reset, isSending: isPending, answer: data, failure: error ? failureOf(error) : undefined };
}

/** Whether a bulk was refused because the preview is no longer true. */
export function hasChanged({ code }: ApiFailure): boolean {
  return code === 'bulk_rejected' || code === 'price_above_max';
}

function bodyOf(
  message: string,
  recipients: readonly Recipient[],
  { encoding, from, sendAt, media, asLinks }: BulkOptions,
) {
  return {
    message,
    recipients: [...recipients],
    encoding,
    from,
    send_at: sendAt,
    ...mediaFieldsOf(media, asLinks),
  };
}

/** Calls the public API with the account's key. */
function useApiKey() {
  const client = useQueryClient();
  return async <Result>(run: (apiKey: string) => Promise<Result>): Promise<Result> => {
    const { apiKey } = await client.fetchQuery(keysQuery);
    try {
      return await run(apiKey);
    } catch (cause) {
      // The key was replaced elsewhere; the next attempt reads the new one.
      if (failureOf(cause).code === 'unknown_api_key') await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      throw cause;
    }
  };
}

const BYTES_PER_MIB = 1_048_576;
/** Room for the rest of the body, beside message and recipients. */
const ENVELOPE_BYTES = 1_024;

function checkSize(body: object): void {
  const { size } = new Blob([JSON.stringify(body)]);
  if (size + ENVELOPE_BYTES <= limits.bulkBodyBytesMax) return;
  const message =
    `A bulk has at most ${limits.bulkBodyBytesMax / BYTES_PER_MIB} MiB, and this one has ` +
    `${(size / BYTES_PER_MIB).toFixed(1)}. Split the file.`;
  throw new ApiFailure('refused', message);
}

const READ_AFTER_MS = 1_000;

/** Refetches the shown batches when messages have changed. */
export function useLiveBatches(): void {
  const client = useQueryClient();
  const read = useTrailing(() => void client.invalidateQueries({ queryKey: batchesKey }), READ_AFTER_MS);
  useLiveEvent('message', read);
  useLiveEvent('many', read);
  useLiveEvent('live', read);
}

// These paths are not in paths.ts, which public pages load too.

export const batchesPath = `${paths.dashboardBulk}?tab=batches`;

export const batchPath = (batchId: string): string => `${paths.dashboardBulk}?id=${batchId}`;
