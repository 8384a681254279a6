import { Link } from 'react-router';
import { isKnownDeliveryError } from '#contract/delivery-errors.js';
import { otpChannelNames, type OtpStepView } from '#contract/otp-channels.js';
import type { OtpView } from '#contract/otp.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { StatusShape } from '../../dashboard/records/status-label.js';
import { messagePath } from '../../paths.js';
import { elapsedText, exactTimes, newYorkClock } from '../../ui/format.js';
import { Moment } from '../../ui/moment.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { nextStepOf, nextWords, outcomeShapes, outcomeText, stepCost, stepReason, unlessText } from './code-steps.js';
import styles from './code-progress.module.css';

/** The steps of a code: channel, recipient, outcome, reason and cost of each; and what happens next. */
export function CodeProgress({ otp }: { otp: OtpView }) {
  return (
    <div className={styles.progress}>
      <ol className={styles.steps} aria-label="Steps">
        {otp.steps.map((step) => (
          <Step key={step.n} step={step} otp={otp} />
        ))}
      </ol>
      <NextStep otp={otp} />
    </div>
  );
}

function Step({ step, otp }: { step: OtpStepView; otp: OtpView }) {
  const { n, channel, to, started_at: at, outcome, reason } = step;
  const why = stepReason(step);
  const message = otp.messages[n - 1];
  const [first] = otp.steps;
  return (
    <li className={styles.step}>
      <span className={styles.place}>{n}</span>
      <div className={styles.what}>
        <p className={styles.line}>
          <span>
            <strong>{otpChannelNames[channel]}</strong> to <PhoneNumber number={to} />
          </span>
          <span className={styles.outcome}>
            <StatusShape status={outcomeShapes[outcome]} />
            {outcomeText(step)}
          </span>
        </p>
        {why !== undefined && (
          <p className={styles.quiet}>
            {why}
            {reason !== null && (
              <> ({isKnownDeliveryError(reason) ? <ReasonCode code={reason} /> : <code>{reason}</code>})</>
            )}
          </p>
        )}
        <p className={styles.quiet}>
          <Moment at={at} />
          {first && n > 1 && `, ${elapsedText(first.started_at, at)} after the first`} · {stepCost(step)}
          {message && message.status !== null && (
            <>
              {' '}
              ·{' '}
              <Link to={messagePath(message.message_id)} aria-label={`Message of step ${n}`}>
                Message
              </Link>
            </>
          )}
        </p>
        {otp.status === 'verified' && otp.entered_step === n && (
          <p className={styles.entered}>The code was entered after this step.</p>
        )}
      </div>
    </li>
  );
}

/** The channel that begins next, and when: 'Calls at 5:21 PM unless the code is entered or delivered.' */
export function NextStep({ otp }: { otp: OtpView }) {
  const next = nextStepOf(otp);
  if (!next) return null;
  return (
    <p>
      {nextWords[next.channel]}{' '}
      <time dateTime={next.at} title={exactTimes(next.at)}>
        {newYorkClock(next.at)}
      </time>{' '}
      {unlessText(otp.channel)}.
    </p>
  );
}
