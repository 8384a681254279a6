import { Switch } from '@base-ui/react/switch';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OtpGuardState, OtpSettingsAnswer } from '#contract/otp.js';
import { changeOtpSettings, otpQuery, resetOtpGuard } from '../../api/account.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Card, Notice, Table } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { View } from '../../ui/view.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { newYorkTime } from '../../ui/format.js';
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
      <label className={styles.switch} htmlFor="require-recipient">
        <Switch.Root
          id="require-recipient"
          className={styles.track}
          checked={recipientRequired}
          disabled={change.isPending}
          aria-describedby="recipient-required"
          onCheckedChange={(isOn) => change.mutate({ recipientRequired: isOn })}
        >
          <Switch.Thumb className={styles.thumb} />
        </Switch.Root>
        Require the recipient
      </label>
      <p id="recipient-required" className={styles.text}>
        Turn this on to refuse a <code>verifyotp</code> that names neither <code>to</code> nor <code>otp_id</code>. Such
        a call is checked against all your codes, so a stranger&rsquo;s guesses can lock out your users for ten minutes.
      </p>
      <ActionFailure error={change.error} what="Your choice was not saved." />
    </Card>
  );
}

type Blocked = OtpGuardState['blocked'][number];

const countedBy: Readonly<Record<OtpGuardState['rules'][number]['counts'], string>> = {
  recipient: 'one number',
  ip: 'one network address',
  device: 'one device',
  block: 'one block of numbers',
};

/** What the fraud guard refused within the last hour, and its reset. */
function FraudGuardCard({ guard }: { guard: OtpGuardState }) {
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: resetOtpGuard,
    onSuccess: (answer) => {
      client.setQueryData(otpQuery.queryKey, answer);
      showToast('The fraud guard was reset.');
    },
  });
  const { suspicious, blocked, rules, next_reset_at: nextResetAt } = guard;
  return (
    <Card>
      <h2 className={styles.title}>Fraud guard</h2>
      {suspicious ? (
        <Notice kind="bad">
          Codes to some of your numbers are paused, because too few of them were verified. Look for requests that no
          person made; if your codes are fine, reset the guard.
        </Notice>
      ) : (
        <Notice kind="good">No codes are paused.</Notice>
      )}
      {blocked.length > 0 && <Refusals blocked={blocked} />}
      <ul className={styles.rules}>
        {rules.map(({ rule, counts, sends_max: max, window_seconds: seconds, verified_percent_min: percent }) => (
          <li key={rule}>
            {percent === null
              ? `${max.toLocaleString('en-US')} codes in ${hours(seconds)} to ${countedBy[counts]}`
              : `At least ${percent}% of ${max.toLocaleString('en-US')} or more codes in ` +
                `${hours(seconds)} to ${countedBy[counts]} verified`}
          </li>
        ))}
      </ul>
      <div className={styles.reset}>
        <Button disabled={!suspicious || nextResetAt !== null || reset.isPending} onClick={() => reset.mutate()}>
          {reset.isPending ? 'Loading...' : 'Reset the guard'}
        </Button>
        <p className={styles.text}>
          {nextResetAt === null
            ? 'Once an hour. Codes sent before it no longer count.'
            : `Next reset possible at ${newYorkTime(nextResetAt)}.`}
        </p>
      </div>
      <ActionFailure error={reset.error} what="The guard was not reset." />
    </Card>
  );
}

function Refusals({ blocked }: { blocked: readonly Blocked[] }) {
  return (
    <Table label="Refused within the last hour">
      <thead>
        <tr>
          <th scope="col">Numbers</th>
          <th scope="col">Rule</th>
          <th scope="col">Sent</th>
          <th scope="col">Verified</th>
          <th scope="col">Refused</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {blocked.map(({ otp_id: id, block, country, rule, sent, verified, refused, open }) => (
          <tr key={id}>
            <td>
              {block}… {country}
            </td>
            <td>
              <code>{rule}</code>
            </td>
            <td>{sent.toLocaleString('en-US')}</td>
            <td>{verified?.toLocaleString('en-US') ?? '–'}</td>
            <td>{refused.toLocaleString('en-US')}</td>
            <td>{open ? 'Paused' : 'Open again'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function hours(seconds: number): string {
  if (seconds % 3_600 !== 0) return `${Math.round(seconds / 60)} minutes`;
  return seconds === 3_600 ? 'an hour' : `${seconds / 3_600} hours`;
}
