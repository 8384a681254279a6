import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { HookAnswered, HookView } from '../../hooks/hook-book.js';
import type { HookVerdict } from '../../hooks/hooks.routes.js';
import { clockTime, counted, dayName } from '../frame/format.js';
import { BackLink, Copyable, Facts, PaneText, Tabs } from '../frame/frame.js';
import { call, problemOf } from '../frame/live.js';
import { AnswerForm } from './answer-form.js';

export function hookAddress(name: string): string {
  return `${window.location.origin}/hooks/in/${name}`;
}

export function AnsweredStatus({ answered: { status } }: { answered: HookAnswered }) {
  if (status === null) return <span className="quiet">No answer</span>;
  return <span className={status < 300 ? 'good' : 'bad'}>{status}</span>;
}

type View = 'body' | 'raw' | 'headers' | 'signature' | 'answer';

const tabs: readonly (readonly [View, string])[] = [
  ['body', 'Body'],
  ['raw', 'Raw'],
  ['headers', 'Headers'],
  ['signature', 'Signature'],
  ['answer', 'Answers'],
];

interface RequestProps {
  readonly request: HookView;
  readonly secret: string;
  onSecret(secret: string): void;
}

/** One request in tabs: body, headers, signature and answers. */
export function HookDetail({ request, secret, onSecret }: RequestProps) {
  const [view, setView] = useState<View>('body');
  const { name, method, path, at, answered, bytes, isCut, attempt } = request;
  return (
    <article className="pane">
      <header className="pane-head">
        <BackLink label="All requests" />
        <h2>
          {method} {name}
        </h2>
        <p className="quiet hook-path">{path}</p>
        <p className="quiet">
          <time dateTime={at}>
            {dayName(at)}, {clockTime(at)}
          </time>
          {' · '}
          <AnsweredStatus answered={answered} />
          {answered.tookMs !== null && ` after ${answered.tookMs} ms`}
          {' · '}
          {counted(bytes, 'byte')}
          {isCut && ', of which the first 64 KiB are stored'}
          {attempt > 1 && ` · attempt ${attempt} of this webhook`}
        </p>
        <Tabs<View> label="Show" tabs={tabs} chosen={view} onChoose={setView} />
      </header>
      {view === 'body' && <PaneText text={readable(request.body) || 'No body'} />}
      {view === 'raw' && <PaneText text={request.body || 'No body'} />}
      {view === 'headers' && <Facts facts={Object.entries(request.headers)} />}
      {view === 'signature' && <SignatureCheck request={request} secret={secret} onSecret={onSecret} />}
      {view === 'answer' && (
        <div className="pane-scroll">
          <Copyable text={hookAddress(name)} />
          <AnswerForm name={name} />
        </div>
      )}
    </article>
  );
}

/** The Standard Webhooks headers and a form to check the signature. */
function SignatureCheck({ request, secret, onSecret }: RequestProps) {
  const { id, timestamp, signature } = request.webhook;
  const verdict = useMutation({
    mutationFn: () => call<HookVerdict>(`/_hooks/requests/${request.id}/verdict`, { secret }),
  });
  const check = (event: FormEvent) => {
    event.preventDefault();
    verdict.mutate();
  };
  return (
    <div className="pane-scroll">
      <Facts
        facts={[
          ['webhook-id', id ?? 'not sent'],
          ['webhook-timestamp', timestamp === null ? 'not sent' : `${timestamp}${timeOf(timestamp)}`],
          ['webhook-signature', signature ?? 'not sent'],
        ]}
      />
      <form className="hook-form" onSubmit={check}>
        <label className="wide">
          Signing secret
          <input
            value={secret}
            placeholder="whsec_…"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              onSecret(event.target.value);
              verdict.reset();
            }}
          />
        </label>
        <button className="button primary" type="submit" disabled={secret.trim() === ''}>
          Check
        </button>
      </form>
      <p className={verdict.data?.holds ? 'good' : 'bad'} role="status">
        {verdict.isError ? problemOf(verdict.error) : verdict.data?.reason}
      </p>
    </div>
  );
}

function timeOf(timestamp: string): string {
  if (!/^\d{1,12}$/.test(timestamp)) return '';
  const at = new Date(Number(timestamp) * 1000).toISOString();
  return ` (${dayName(at)}, ${clockTime(at)})`;
}

/** Formats JSON; returns any other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON, or truncated.
    return body;
  }
}
