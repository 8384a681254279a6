import { useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OtpSettingsAnswer, SendOtpAnswer } from '#contract/otp.js';
import { failureOf } from '../../api/api-failure.js';
import { otpDetailsQuery, otpsKey } from '../../api/otp.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { codePath } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { useFieldFocus } from '../../ui/hooks.js';
import { Card, Notice } from '../../ui/surface.js';
import { RefusalNotice } from '../composer/refusal-notice.js';
import { ChannelFields } from './channel-fields.js';
import { channelsOf, costText, creditsMaxOf, faultsOf, offeredIn, smsAlone } from './chosen-channels.js';
import { CodeProgress } from './code-progress.js';
import { CurlOfCode } from './curl-of-code.js';
import { otpStateQuery } from './otp-settings.js';
import { OtpStateLabel } from './otp-state-label.js';
import { useSendCode } from './use-send-code.js';
import styles from './send-code.module.css';

/** Sends a code with the live key, by SMS alone or by several channels. */
export function SendCode() {
  const { data, error, refetch } = useQuery(otpStateQuery);
  if (data) return <Composer settings={data} />;
  if (error)
    return <FailureNotice error={error} what="The channels could not be loaded." onRetry={() => void refetch()} />;
  return <p role="status">Loading...</p>;
}

function Composer({ settings }: { settings: OtpSettingsAnswer }) {
  const costId = useId();
  const focused = useFieldFocus();
  const [to, setTo] = useState('');
  const [list, setList] = useState(smsAlone);
  const offered = offeredIn(settings);
  const sendCode = useSendCode();
  const creditsMax = creditsMaxOf(list, offered);
  const channels = channelsOf(list);
  const { answer, failure, faults, forgive, isSending, onSubmit } = useForm({
    read: () => {
      const isEmpty = to.trim() === '';
      const hasFaults = Object.keys(faultsOf(list)).length > 0;
      if (isEmpty || hasFaults)
        return {
          faults: { ...(isEmpty && { to: 'Enter a phone number.' }), ...(hasFaults && { channels: 'Correct these.' }) },
        };
      // More than the page has shown is never charged.
      return { body: { to, channels, ...(channels && { max_credits: creditsMax }) } };
    },
    send: sendCode,
  });
  const cost = costText(list, offered);
  return (
    <div className={styles.columns}>
      <Card>
        <form ref={focused} className={styles.form} noValidate onSubmit={onSubmit}>
          <Field
            label="To"
            type="tel"
            autoComplete="off"
            value={to}
            hint="Without +, it is a US number."
            fault={faults.to}
            onChange={({ target }) => {
              setTo(target.value);
              forgive('to');
            }}
          />
          {offered.length > 1 && (
            <ChannelFields
              list={list}
              offered={offered}
              faults={faults.channels === undefined ? {} : faultsOf(list)}
              onChange={setList}
            />
          )}
          {(cost !== '' || list.length > 1) && (
            <div id={costId} className={styles.cost}>
              <p>{cost}</p>
              {list.length > 1 && (
                <p>
                  The next channel begins when one has failed, or when its wait is over and the code was neither entered
                  nor delivered. What fails or is not delivered is refunded.
                </p>
              )}
              {list.some(({ channel }) => channel === 'voice') && (
                <p>Countries with calls: {settings.voiceCountries.toSorted().join(', ')}.</p>
              )}
            </div>
          )}
          <div>
            <Button
              type="submit"
              look="primary"
              disabled={isSending}
              aria-describedby={cost === '' ? undefined : costId}
            >
              {isSending ? 'Loading...' : `Send for ${list.length > 1 ? 'up to ' : ''}${credits(creditsMax)}`}
            </Button>
          </div>
        </form>
      </Card>
      {/* The answer is beside the form where there is room, so that it shows without scrolling. */}
      <div className={styles.side}>
        {failure !== null && <RefusalNotice failure={failureOf(failure)} isBesideField={false} isLive to={to} />}
        {answer && <SentCode key={answer.otp_id} answer={answer} />}
        <CurlOfCode title="Curl: this code" origin={window.location.origin} to={to} channels={channels} />
      </div>
    </div>
  );
}

/** A code that was sent, and what becomes of it. */
function SentCode({ answer }: { answer: SendOtpAnswer }) {
  const { otp_id: id } = answer;
  const { data, error, refetch } = useQuery(otpDetailsQuery(id));
  useRefresh(otpsKey);
  return (
    <Notice kind={data?.status === 'expired' || data?.status === 'exhausted' ? 'bad' : 'good'} role="status">
      <div className={styles.sent}>
        <p className={styles.line}>
          <span>Status:</span>
          <OtpStateLabel status={data?.status ?? 'pending'} />
          <Link to={codePath(id)}>See this code</Link>
        </p>
        {data ? (
          <CodeProgress otp={data} />
        ) : (
          error && <FailureNotice error={error} what="Its steps could not be loaded." onRetry={() => void refetch()} />
        )}
      </div>
    </Notice>
  );
}
