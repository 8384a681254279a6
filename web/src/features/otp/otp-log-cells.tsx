import { otpChannelNames } from '#contract/otp-channels.js';
import type { OtpView } from '#contract/otp.js';
import { regions } from '#contract/regions.js';
import { exactTimes, newYorkClock } from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { channelsUsed, nextStepOf } from './code-steps.js';
import styles from './otp.module.css';

const countryNames = new Map(regions.map(({ iso2, country }) => [iso2, country]));

export function Country({ iso2 }: { iso2: string }) {
  return (
    <span className={styles.country}>
      {countryNames.has(iso2) && <Flag iso2={iso2} />}
      {countryNames.get(iso2) ?? iso2}
    </span>
  );
}

/** The channels of a code in order, and the next one with its time: 'SMS → Voice call at 5:21 PM'. */
export function ChannelMark({ otp }: { otp: OtpView }) {
  const next = nextStepOf(otp);
  return (
    <span className={styles.mark}>
      {channelsUsed(otp).map((channel, place) => (
        <span key={channel} className={styles.piece}>
          {place > 0 && <Then />}
          {otpChannelNames[channel]}
        </span>
      ))}
      {next && (
        <span className={styles.piece}>
          <Then />
          {otpChannelNames[next.channel]} at{' '}
          <time dateTime={next.at} title={exactTimes(next.at)}>
            {newYorkClock(next.at)}
          </time>
        </span>
      )}
    </span>
  );
}

function Then() {
  return (
    <>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden">, then </span>
    </>
  );
}

export function keyText({ key_id: id, key_name: name, status }: OtpView): string {
  if (status === 'blocked') return '–';
  return id === null ? 'Account key' : (name ?? `Revoked key ${id.slice(0, 8)}`);
}
