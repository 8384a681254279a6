import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SmsEncoding } from '#contract/messages.js';
import { keysQuery } from '../../api/account.js';
import { type ApiFailure, failureOf } from '../../api/api-failure.js';
import { sendSms } from '../../api/messages.js';
import { Attempts, mayHaveBeenSent } from './attempts.js';

export interface NewMessage {
  readonly to: string;
  readonly message: string;
  readonly isLive: boolean;
  /** A number or the id of a pool; undefined for the best sender. */
  readonly from?: string | undefined;
  /** Send time; at once if undefined. */
  readonly sendAt?: string | undefined;
  readonly encoding?: SmsEncoding | undefined;
  readonly reference?: string | undefined;
  /** Ids of the message's files. */
  readonly media?: readonly string[];
  /** Sends links where files cannot be sent. */
  readonly asLinks?: boolean;
}

/** Sends each message once: a retry of a message that may have been sent reuses its key. */
export function useSendMessage(onSent: (sent: NewMessage) => void) {
  const [attempts] = useState(() => new Attempts());
  const client = useQueryClient();
  const isUnderWay = useRef(false);
  const { mutate, isPending, data, error, variables, reset } = useMutation({
    mutationFn: async (sent: NewMessage) => {
      const { to, message, isLive, from, sendAt, encoding, reference, media = [], asLinks = false } = sent;
      const { apiKey } = await client.fetchQuery(keysQuery);
      const content = JSON.stringify([to, message, isLive, from, sendAt, encoding, reference, media, asLinks]);
      const apikey = isLive ? apiKey : `${apiKey}_test`;
      try {
        const answer = await sendSms({
          to,
          message,
          from,
          apikey,
          send_at: sendAt,
          encoding,
          reference,
          ...mediaFieldsOf(media, asLinks),
          idempotencyKey: attempts.keyFor(content),
        });
        attempts.answered(content);
        return answer;
      } catch (cause) {
        const failure = failureOf(cause);
        if (!mayHaveBeenSent(failure)) attempts.answered(content);
        // The key was replaced elsewhere; the next attempt reads the new one.
        if (failure.code === 'unknown_api_key') await client.invalidateQueries({ queryKey: keysQuery.queryKey });
        throw failure;
      }
    },
    onSuccess: (_answer, sent) => onSent(sent),
    onSettled: () => (isUnderWay.current = false),
  });
  /** Does nothing while a message is under way, even before React has rendered that state. */
  const send = (message: NewMessage) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(message);
  };
  return {
    send,
    reset,
    isSending: isPending,
    answer: data,
    /** The message that `answer` answers. */
    answered: data && variables,
    refusal: error && variables ? { failure: failureOf(error), of: variables } : undefined,
  };
}

/** The files of a message, as the API takes them. */
export function mediaFieldsOf(media: readonly string[], asLinks: boolean) {
  if (media.length === 0) return {};
  return { media: media.map((id) => ({ media_id: id })), ...(asLinks && { media_fallback: 'link' as const }) };
}

type FieldName = 'to' | 'message' | 'from' | 'files';

interface Typed {
  readonly to: string;
  readonly message: string;
}

const fieldOfCode: Readonly<Record<string, FieldName>> = {
  invalid_number: 'to',
  number_type_unsupported: 'to',
  number_not_verified: 'to',
  region_unsupported: 'to',
  region_inactive: 'to',
  country_disabled: 'to',
  recipient_opted_out: 'to',
  message_too_long: 'message',
  encoding_unsupported: 'message',
  url_shortener: 'message',
  url_not_activated: 'message',
  media_unsupported: 'files',
  media_too_large: 'files',
  media_type: 'files',
  media_unknown: 'files',
  media_expired: 'files',
  from_unknown: 'from',
  from_inactive: 'from',
};

/** The field that a rejection concerns; undefined when there is no such field. */
export function fieldOf({ code }: Pick<ApiFailure, 'code'>, { to, message }: Typed): FieldName | undefined {
  if (code === 'missing_fields') return to === '' ? 'to' : message === '' ? 'message' : undefined;
  return code === undefined ? undefined : fieldOfCode[code];
}
