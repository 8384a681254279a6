import { Switch } from '@base-ui/react/switch';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callLanguageNames, callLanguages, otpChannelNames } from '#contract/otp-channels.js';
import type { OtpGuardState, OtpSettingsAnswer } from '#contract/otp.js';
import { changeOtpSettings, otpQuery, resetOtpGuard } from '../../api/account.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Select } from '../../ui/field.js';
import { Card, Notice, Table } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import styles from './otp.module.css';

const STATE_EVERY_MS = 30_000;

/** The settings, and the state of the fraud guard; no live event reports a refusal. */
export const otpStateQuery = { ...otpQuery, refetchOnMount: 'always', refetchInterval: STATE_EVERY_MS } as const;

/** Requirements for verifying a code, and the fraud guard of one-time passwords. */
export function OtpSettings() {
  const { data, error, refetch } = useQuery(otpStateQuery);
  if (data)
    return (
      <div className={styles.cards}>
        <VerificationCard recipientRequired={data.recipientRequired} />
        {(data.channels.length > 1 || data.channelsAfterStop) && (
          <ChannelsCard channelsAfterStop={data.channelsAfterStop} channels={data.channels} />
        )}
        {data.channels.some(({ channel }) => channel === 'voice') && <CallsCard callLanguage={data.callLanguage} />}
        <FraudGuardCard guard={data.guard} />
      </div>
    );
  if (error)
    return <FailureNotice error={error} what="Your settings could not be loaded." onRetry={() => void refetch()} />;
  return <p role="status">Loading...</p>;
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
        When this is on, a <code>verifyotp</code> without <code>to</code> and <code>otp_id</code> is refused with{' '}
        <code>missing_fields</code>. Without them a code is compared with all codes of your account, so that a
        stranger&rsquo;s wrong guesses can make your own users wait for up to ten minutes.
      </p>
      <ActionFailure error={change.error} what="Your choice was not saved." />
    </Card>
  );
}

/** Prices of the channels, and whether codes go by other channels to people who have said STOP. */
function ChannelsCard({ channelsAfterStop, channels }: Pick<OtpSettingsAnswer, 'channelsAfterStop' | 'channels'>) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: changeOtpSettings,
    onSuccess: (answer) => {
      client.setQueryData(otpQuery.queryKey, answer);
      showToast(
        answer.channelsAfterStop
          ? 'Codes go by other channels after STOP now.'
          : 'Codes stop on all channels after STOP now.',
      );
    },
  });
  const prices = channels.map(({ channel, credits: price }) => `${otpChannelNames[channel]} ${credits(price)}`);
  return (
    <Card>
      <h2 className={styles.title}>Channels</h2>
      <label className={styles.switch} htmlFor="channels-after-stop">
        <Switch.Root
          id="channels-after-stop"
          className={styles.track}
          checked={channelsAfterStop}
          disabled={change.isPending}
          aria-describedby="after-stop"
          onCheckedChange={(isOn) => change.mutate({ channelsAfterStop: isOn })}
        >
          <Switch.Thumb className={styles.thumb} />
        </Switch.Root>
        Send codes by other channels to people who have said STOP to text messages
      </label>
      <p id="after-stop" className={styles.text}>
        When this is off, a code with WhatsApp or a voice call to such a person is refused with{' '}
        <code>recipient_opted_out</code>, and nothing is charged. STOP always ends text messages.
      </p>
      <p className={styles.prices}>Prices of a code: {prices.join(', ')}.</p>
      <ActionFailure error={change.error} what="Your choice was not saved." />
    </Card>
  );
}

const languages = callLanguages.map((language) => [language, callLanguageNames[language]] as const);

/** The language in which calls speak codes. */
function CallsCard({ callLanguage }: Pick<OtpSettingsAnswer, 'callLanguage'>) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: changeOtpSettings,
    onSuccess: (answer) => {
      client.setQueryData(otpQuery.queryKey, answer);
      showToast(`Calls speak ${callLanguageNames[answer.callLanguage]} now.`);
    },
  });
  return (
    <Card>
      <h2 className={styles.title}>Calls</h2>
      <Select
        label="Language"
        value={(change.isPending && change.variables.callLanguage) || callLanguage}
        options={languages}
        hint="Codes that are sent from now on are spoken in it. Text messages and emails stay in English."
        onChange={(language) => change.mutate({ callLanguage: language })}
      />
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
  call: 'one number by voice call',
  caller: 'your account by voice call',
};

/** Refusals by the fraud guard within the last hour, and its reset. */
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
      {suspicious && (
        <div className={styles.reset}>
          <Button disabled={nextResetAt !== null || reset.isPending} onClick={() => reset.mutate()}>
            {reset.isPending ? 'Loading...' : 'Reset the guard'}
          </Button>
          <p className={styles.text}>
            {nextResetAt === null ? (
              'Codes sent before the reset no longer count. It is possible once an hour.'
            ) : (
              <>
                It was reset within the last hour. The next reset is possible after <Moment at={nextResetAt} />.
              </>
            )}
          </p>
        </div>
      )}
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
