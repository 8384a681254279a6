import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readKeys } from '../../../api/account.js';
import { failureOf } from '../../../api/api-failure.js';
import { sendSms } from '../../../api/compose.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { Attempts } from './attempts.js';
import { mayHaveBeenSent } from './message-faults.js';

export interface Sending {
  readonly to: string;
  readonly message: string;
  readonly isLive: boolean;
}

/** Sends messages, each once: what may have been sent already carries the key of the earlier try. */
export function useSending(onSent: (sent: Sending) => void) {
  const [attempts] = useState(() => new Attempts());
  const client = useQueryClient();
  const { mutate, isPending, data, error, variables, reset } = useMutation({
    mutationFn: async (sending: Sending) => {
      const { to, message, isLive } = sending;
      const { apiKey } = await client.fetchQuery({ queryKey: queryKeys.keys, queryFn: readKeys });
      const content = JSON.stringify([to, message, isLive]);
      const apikey = isLive ? apiKey : `${apiKey}_test`;
      try {
        const answer = await sendSms({ to, message, apikey, idempotencyKey: attempts.keyFor(content) });
        attempts.answered(content);
        return answer;
      } catch (cause) {
        const failure = failureOf(cause);
        if (!mayHaveBeenSent(failure)) attempts.answered(content);
        // It was changed elsewhere: the next try reads it anew.
        if (failure.code === 'unknown_api_key') await client.invalidateQueries({ queryKey: queryKeys.keys });
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
