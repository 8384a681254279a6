import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OtpGuardState } from '#contract/otp-guard.js';
import { otpQuery, resetOtpGuard } from '../../api/otp.js';
import { Button } from '../../ui/button.js';
import { newYorkTime } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { Table } from '../../ui/table.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../dashboard/failures.js';
import styles from './otp.module.css';

type Blocked = OtpGuardState['blocked'][number];

const countedBy: Readonly<Record<OtpGuardState['rules'][number]['counts'], string>> = {
  recipient: 'one number',
  ip: 'one network address',
  device: 'one device',
  block: 'one block of numbers',
};

/** What the fraud guard refused within the last hour, and its reset. */
export function FraudGuardCard({ guard }: { guard: OtpGuardState }) {
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
              : `At least ${percent}% of ${max.toLocaleString('en-US')} or more codes in ${hours(seconds)} to ${countedBy[counts]} verified`}
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
