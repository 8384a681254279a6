import { useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.js';
import { type OtpChannel, otpChannelNames } from '#contract/otp-channels.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Field } from '../../ui/field.js';
import { IconChevronDown, IconChevronUp, IconX } from '../../ui/line-icons.js';
import {
  type ChannelFaults,
  chosen,
  type ChosenChannel,
  moved,
  type OfferedChannels,
  orderText,
} from './chosen-channels.js';
import styles from './channel-fields.module.css';

interface ChannelFieldsProps {
  readonly list: readonly ChosenChannel[];
  readonly offered: OfferedChannels;
  readonly faults: Readonly<Partial<Record<OtpChannel, ChannelFaults>>>;
  readonly onChange: (list: readonly ChosenChannel[]) => void;
}

/** Chooses the channels of a code and their order; each channel can be chosen once. */
export function ChannelFields({ list, offered, faults, onChange }: ChannelFieldsProps) {
  const field = useRef<HTMLFieldSetElement>(null);
  const [said, say] = useState('');
  /** Gets the focus after a change: moving or removing an element takes the focus from it. */
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    field.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = undefined;
  });
  const change = (channels: readonly ChosenChannel[], focused: string) => {
    next.current = focused;
    onChange(channels);
    say(`In this order: ${orderText(channels.map(({ channel }) => channel))}.`);
  };
  const left = offered.filter(({ channel }) => list.every((one) => one.channel !== channel));
  return (
    <fieldset ref={field} className={styles.field}>
      <legend>Channels</legend>
      <ol className={styles.list}>
        {list.map((one, place) => {
          const { channel } = one;
          const name = otpChannelNames[channel];
          const edit = (part: Partial<ChosenChannel>) => onChange(list.with(place, { ...one, ...part }));
          const move = (by: -1 | 1, act: string) => change(moved(list, place, by), `[data-${act}="${channel}"]`);
          const price = offered.find((offer) => offer.channel === channel)?.credits;
          return (
            <li key={channel}>
              <div className={styles.channel} role="group" aria-label={name} data-channel={channel} tabIndex={-1}>
                <div className={styles.head}>
                  <span className={styles.place}>{place + 1}</span>
                  <span className={styles.name}>
                    {name}
                    {price !== undefined && <small>{credits(price)}</small>}
                  </span>
                  {list.length > 1 && (
                    <span className={styles.acts}>
                      <button
                        type="button"
                        data-up={channel}
                        aria-label={`Move ${name} up`}
                        aria-disabled={place === 0 || undefined}
                        onClick={() => move(-1, 'up')}
                      >
                        <IconChevronUp size={20} aria-hidden="true" />
                      </button>
                      <button
                        type="button"
                        data-down={channel}
                        aria-label={`Move ${name} down`}
                        aria-disabled={place === list.length - 1 || undefined}
                        onClick={() => move(1, 'down')}
                      >
                        <IconChevronDown size={20} aria-hidden="true" />
                      </button>
                      <button
                        type="button"
                        aria-label={`Remove ${name}`}
                        onClick={() => change(list.toSpliced(place, 1), `[data-add="${channel}"]`)}
                      >
                        <IconX size={20} aria-hidden="true" />
                      </button>
                    </span>
                  )}
                </div>
                {channel === 'email' && (
                  <Field
                    label="Email address"
                    type="email"
                    autoComplete="off"
                    value={one.to}
                    fault={faults.email?.to}
                    onChange={({ target }) => edit({ to: target.value })}
                  />
                )}
                {place < list.length - 1 && (
                  <Field
                    label="Wait before the next channel"
                    unit="seconds"
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={String(limits.otpStepWaitSecondsMax).length}
                    value={one.wait}
                    fault={faults[channel]?.wait}
                    onChange={({ target }) => edit({ wait: target.value })}
                  />
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {left.length > 0 && list.length < limits.otpStepsMax && (
        <div className={styles.add} role="group" aria-label="Add a channel">
          {left.map(({ channel, credits: price }) => (
            <Button
              key={channel}
              data-add={channel}
              onClick={() => change([...list, chosen(channel)], `[data-channel="${channel}"]`)}
            >
              Add {otpChannelNames[channel]} · {credits(price)}
            </Button>
          ))}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </fieldset>
  );
}
