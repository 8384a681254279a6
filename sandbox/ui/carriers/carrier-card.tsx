import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { FAULT_MODES } from '../../control/faults.js';
import type { CarrierView } from '../../control/carriers.routes.js';
import { counted } from '../frame/format.js';
import { call, problemOf } from '../frame/live.js';
import { carrierNames } from '../frame/message-status.js';
import { DELAY_MS, faultWords, wordsOf } from './fault-words.js';

const SECOND_MS = 1_000;
const durations = [
  ['', 'until I end it'],
  ['30', '30 seconds'],
  ['60', '1 minute'],
  ['300', '5 minutes'],
] as const;

/** A carrier: its state, its traffic, and the form that sets its fault. */
export function CarrierCard({ carrier, readAtMs }: { carrier: CarrierView; readAtMs: number }) {
  const { carrier: service, mode, met, tookInMinute } = carrier;
  const words = wordsOf(mode);
  const [chosen, setChosen] = useState<string>('timeout');
  const [seconds, setSeconds] = useState('');
  const save = useMutation({ mutationFn: (fault: object) => call('/_control/faults', { service, ...fault }) });
  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate({
      mode: chosen,
      delayMs: DELAY_MS,
      ...(seconds !== '' && { forSeconds: Number(seconds) }),
    });
  };
  const name = carrierNames[service];
  const isChannel = service === 'whatsapp' || service === 'voice';
  return (
    <section className={words === null ? 'carrier' : 'carrier is-failing'} aria-label={name}>
      <header>
        <h2>
          {name}
          {isChannel && <span className="carrier-of quiet"> by Twilio</span>}
        </h2>
        <p className="carrier-took">
          <strong>{tookInMinute.toLocaleString('en')}</strong> in the last minute
        </p>
      </header>
      <p className="carrier-state" role="status">
        {words ?? 'Working'}
      </p>
      <p className="carrier-until quiet">
        {words !== null && (
          <>
            <Until carrier={carrier} readAtMs={readAtMs} />
            {met > 0 && ` · met by ${counted(met, 'request')}`}
          </>
        )}
      </p>
      <form onSubmit={start}>
        <label>
          Fault
          <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {FAULT_MODES[service].map(
              (known) =>
                known !== 'none' && (
                  <option key={known} value={known}>
                    {faultWords[known]}
                  </option>
                ),
            )}
          </select>
        </label>
        <label>
          For
          <select value={seconds} onChange={(event) => setSeconds(event.target.value)}>
            {durations.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <div className="carrier-actions">
          <button className="button" type="submit" disabled={save.isPending}>
            {words === null ? 'Start fault' : 'Change fault'}
          </button>
          <button
            className={words === null ? 'button' : 'button primary'}
            type="button"
            disabled={words === null || save.isPending}
            onClick={() => save.mutate({ mode: 'none' })}
          >
            End fault
          </button>
        </div>
        {save.isError && (
          <p className="bad" role="alert">
            {problemOf(save.error)}
          </p>
        )}
      </form>
    </section>
  );
}

/** The end of a fault, counted down every second. */
function Until({ carrier, readAtMs }: { carrier: CarrierView; readAtMs: number }) {
  const { count, remainingMs } = carrier;
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (remainingMs === null) return;
    const timer = window.setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => window.clearInterval(timer);
  }, [remainingMs]);
  const requests = count === null ? null : `after ${counted(count, 'more request')}`;
  if (remainingMs === null) return requests === null ? 'Until you end it' : `Ends ${requests}`;
  const seconds = Math.max(0, Math.ceil((remainingMs - Math.max(0, nowMs - readAtMs)) / SECOND_MS));
  return (
    <>
      Ends in{' '}
      <span className="carrier-time">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}</span>
      {requests !== null && `, or ${requests}`}
    </>
  );
}
