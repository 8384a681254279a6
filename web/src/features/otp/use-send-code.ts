import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { SendOtpAnswer } from '#contract/otp.js';
import { keysQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { otpsKey, sendOtp, type SendOtpRequest } from '../../api/otp.js';
import { Attempts, mayHaveBeenSent } from '../composer/attempts.js';

export type NewCode = Omit<SendOtpRequest, 'apikey' | 'idempotencyKey'>;

/** Sends each code once: a retry of a code that may have been sent reuses its key. */
export function useSendCode(): (code: NewCode) => Promise<SendOtpAnswer> {
  const [attempts] = useState(() => new Attempts());
  const client = useQueryClient();
  return async (code) => {
    const content = JSON.stringify(code);
    try {
      const { apiKey: apikey } = await client.fetchQuery(keysQuery);
      const answer = await sendOtp({ ...code, apikey, idempotencyKey: attempts.keyFor(content) });
      attempts.answered(content);
      await client.invalidateQueries({ queryKey: otpsKey });
      return answer;
    } catch (cause) {
      const failure = failureOf(cause);
      if (!mayHaveBeenSent(failure)) attempts.answered(content);
      // The key was replaced elsewhere; the next attempt reads the new one.
      if (failure.code === 'unknown_api_key') await client.invalidateQueries({ queryKey: keysQuery.queryKey });
      throw failure;
    }
  };
}
