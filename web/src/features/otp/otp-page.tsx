import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OtpSettingsAnswer } from '#contract/otp-guard.js';
import { changeOtpSettings, otpQuery } from '../../api/otp.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { View } from '../../ui/view.js';
import { ActionFailure, FailureNotice } from '../dashboard/failures.js';
import { FraudGuardCard } from './fraud-guard-card.js';
import styles from './otp.module.css';

const STATE_EVERY_MS = 30_000;

/** What verifying a code requires, and the fraud guard of one-time passwords. */
export default function OtpPage() {
  const { data, error, refetch } = useQuery({
    ...otpQuery,
    refetchOnMount: 'always',
    // No live event reports a refusal.
    refetchInterval: STATE_EVERY_MS,
  });
  return (
    <View
      title="One-time Passwords"
      lead="How codes are verified, and what protects you from fraud."
      actions={<ButtonLink to={paths.otp}>How it works</ButtonLink>}
    >
      {data ? (
        <div className={styles.cards}>
          <VerificationCard recipientRequired={data.recipientRequired} />
          <FraudGuardCard guard={data.guard} />
        </div>
      ) : error ? (
        <FailureNotice error={error} what="Your settings could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

function VerificationCard({ recipientRequired }: Pick<OtpSettingsAnswer, 'recipientRequired'>) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: changeOtpSettings,
    onSuccess: (answer) => {
      client.setQueryData(otpQuery.queryKey, answer);
      showToast(answer.recipientRequired ? 'The recipient is required now.' : 'The recipient is optional now.');
    },
  });
  return (
    <Card>
      <h2 className={styles.title}>Verification</h2>
      <label className={styles.switch}>
        <input
          type="checkbox"
          role="switch"
          checked={recipientRequired}
          aria-checked={recipientRequired}
          disabled={change.isPending}
          aria-describedby="recipient-required"
          onChange={(event) => change.mutate({ recipientRequired: event.currentTarget.checked })}
        />
        Require the recipient
      </label>
      <p id="recipient-required" className={styles.text}>
        A <code>verifyotp</code> without <code>to</code> and <code>otp_id</code> is then refused. Otherwise it is
        checked against all your codes, and a stranger&rsquo;s guesses can keep your users waiting for ten minutes.
      </p>
      <ActionFailure error={change.error} what="Your choice was not saved." />
    </Card>
  );
}
