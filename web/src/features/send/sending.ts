import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keysQuery } from '../../api/account.js';
import { type ApiFailure, failureOf } from '../../api/api-failure.js';
import { sendSms } from '../../api/messages.js';

export interface Sending {
  readonly to: string;
  readonly message: string;
  readonly isLive: boolean;
}

/** Sends each message once: a retry of what may have been sent reuses its idempotency key. */
export function useSending(onSent: (sent: Sending) => void) {
  const [attempts] = useState(() => new Attempts());
  const client = useQueryClient();
  const { mutate, isPending, data, error, variables, reset } = useMutation({
    mutationFn: async (sending: Sending) => {
      const { to, message, isLive } = sending;
      const { apiKey } = await client.fetchQuery(keysQuery);
      const content = JSON.stringify([to, message, isLive]);
      const apikey = isLive ? apiKey : `${apiKey}_test`;
      try {
        const answer = await sendSms({ to, message, apikey, idempotencyKey: attempts.keyFor(content) });
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
    onSuccess: (_answer, sending) => onSent(sending),
  });
  return {
    send: mutate,
    reset,
    isSending: isPending,
    answer: data,
    refusal: error && variables ? { failure: failureOf(error), of: variables } : undefined,
  };
}

const BYTES = 16;

/**
 * Idempotency keys of messages whose answer was lost: the same message keeps its key until an answer arrives, so it is
 * sent only once.
 */
export class Attempts {
  private readonly unanswered = new Map<string, string>();

  /** The idempotency key for an attempt with this content. */
  keyFor(content: string): string {
    const key = this.unanswered.get(content) ?? newKey();
    this.unanswered.set(content, key);
    return key;
  }

  /** An answer arrived: the same content is a new message from now on. */
  answered(content: string): void {
    this.unanswered.delete(content);
  }
}

/** Not crypto.randomUUID, which browsers offer only on HTTPS and localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

interface Typed {
  readonly to: string;
  readonly message: string;
}

const fieldOfCode: Readonly<Record<string, keyof Typed>> = {
  invalid_number: 'to',
  number_type_unsupported: 'to',
  number_not_verified: 'to',
  region_unsupported: 'to',
  region_inactive: 'to',
  recipient_opted_out: 'to',
  message_too_long: 'message',
  url_shortener: 'message',
  url_not_activated: 'message',
};

/** The field that a rejection concerns; undefined when it concerns neither. */
export function fieldOf({ code }: Pick<ApiFailure, 'code'>, { to, message }: Typed): keyof Typed | undefined {
  if (code === 'missing_fields') return to === '' ? 'to' : message === '' ? 'message' : undefined;
  return code === undefined ? undefined : fieldOfCode[code];
}

/** Whether a failed attempt may nevertheless have sent the message. */
export function mayHaveBeenSent({ kind, code }: Pick<ApiFailure, 'kind' | 'code'>): boolean {
  return kind === 'connection' || kind === 'broken' || code === 'idempotency_in_progress';
}
