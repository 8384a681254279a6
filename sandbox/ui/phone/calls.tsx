import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { CallsView, CallView } from '../../phone/phone.routes.js';
import { clockTime, counted, dayName, readableNumber } from '../frame/format.js';
import { IconPhone } from '../frame/icons.js';
import { call, problemOf } from '../frame/live.js';

const DEFAULT_LANGUAGE = 'en-US';

const stateWords: Readonly<Record<CallView['status'], string>> = {
  queued: 'Calling',
  ringing: 'Ringing',
  'in-progress': 'In progress',
  completed: 'Completed',
  busy: 'Busy',
  failed: 'Failed',
  'no-answer': 'Not answered',
  canceled: 'Canceled by the product',
};

const tones: Readonly<Partial<Record<CallView['status'], string>>> = {
  ringing: 'good',
  'in-progress': 'good',
  busy: 'bad',
  failed: 'bad',
  'no-answer': 'bad',
};

interface CallsProps {
  readonly phone: string;
  /** Undefined until loaded. */
  readonly view: CallsView | undefined;
  onEarlier(): void;
}

/** The calls of one number, newest last, and how the number answers. */
export function Calls({ phone, view, onEarlier }: CallsProps) {
  const log = useRef<HTMLDivElement>(null);
  const newest = view?.calls.at(-1)?.sid;
  // A new call comes into view; a call that changes leaves the reader where they are.
  useLayoutEffect(() => {
    if (newest !== undefined) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [newest]);
  return (
    <>
      <div className="log" ref={log} tabIndex={0} role="log" aria-label="Calls">
        {view?.hasMore === true && (
          <button className="button earlier" type="button" onClick={onEarlier}>
            Show earlier calls
          </button>
        )}
        <ol>
          {view?.calls.map((one) => (
            <li key={one.sid} className="call">
              <CallCard call={one} />
            </li>
          ))}
        </ol>
        {view?.calls.length === 0 && (
          <p className="log-none quiet">No calls yet. A call of the product to this number appears here as text.</p>
        )}
      </div>
      {view !== undefined && <AnswerSwitch phone={phone} isByHand={view.isAnsweredByHand} />}
    </>
  );
}

/** A call: its state, what can be done about it, and what was spoken. */
function CallCard({ call: one }: { call: CallView }) {
  const { sid, at, caller, status, sentences, durationSeconds, isMachine, problem } = one;
  const act = useMutation({ mutationFn: (what: string) => call(`/_control/calls/${sid}/${what}`, {}) });
  return (
    <article aria-label={`Call from ${readableNumber(caller)} at ${clockTime(at)}`}>
      <header className="call-head">
        <span className={`call-icon ${status === 'ringing' ? 'is-ringing' : ''}`}>
          <IconPhone size={20} aria-hidden />
        </span>
        <p className="call-from">{readableNumber(caller)}</p>
        <p className={`call-state ${tones[status] ?? 'quiet'}`}>{stateWords[status]}</p>
        <p className="call-when quiet">
          <time dateTime={at}>{`${dayName(at)}, ${clockTime(at)}`}</time>
          {durationSeconds > 0 && <span>{counted(durationSeconds, 'second')}</span>}
          {isMachine && <span>answered by a machine</span>}
        </p>
      </header>
      {sentences.length > 0 && (
        <ol className="call-spoken" aria-label="Spoken text">
          {sentences.map(({ text, language }, index) => (
            <li key={index}>
              <span lang={language} dir="auto">
                {text}
              </span>
              {language !== DEFAULT_LANGUAGE && <span className="call-language">{language}</span>}
            </li>
          ))}
        </ol>
      )}
      {problem !== null && <p className="bad call-problem">{problem}</p>}
      {status === 'ringing' && (
        <div className="call-actions">
          <button
            className="button primary"
            type="button"
            disabled={act.isPending}
            onClick={() => act.mutate('answer')}
          >
            Answer
          </button>
          <button className="button" type="button" disabled={act.isPending} onClick={() => act.mutate('decline')}>
            Decline
          </button>
        </div>
      )}
      {status === 'in-progress' && (
        <div className="call-actions">
          <button className="button" type="button" disabled={act.isPending} onClick={() => act.mutate('hang-up')}>
            Hang up
          </button>
        </div>
      )}
      {act.isError && (
        <p className="bad call-problem" role="alert">
          {problemOf(act.error)}
        </p>
      )}
    </article>
  );
}

/** Chooses whether calls to the number are answered automatically. */
function AnswerSwitch({ phone, isByHand }: { phone: string; isByHand: boolean }) {
  const save = useMutation({
    mutationFn: (answers: string) => call(`/_control/phones/${encodeURIComponent(phone)}`, { answers }),
  });
  return (
    <div className="composer call-switch">
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isByHand}
          checked={isByHand}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate(target.checked ? 'by-hand' : 'automatically')}
        />
        Let me answer calls
      </label>
      <p className="quiet">
        {isByHand
          ? 'A call rings until you answer or decline it, or until it rings out.'
          : 'A call is answered automatically after a moment.'}
      </p>
      {save.isError && (
        <p className="bad" role="alert">
          {problemOf(save.error)}
        </p>
      )}
    </div>
  );
}
