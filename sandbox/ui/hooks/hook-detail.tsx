import { type FormEvent, useState } from 'react';
import type { HookAnswered, HookView } from '../../hooks/hook-book.js';
import type { HookVerdict } from '../../hooks/hooks.routes.js';
import { clockTime, counted, dayName } from '../frame/format.js';
import { LIST_ADDRESS, post } from '../frame/live.js';
import { CopyButton, Icon } from '../frame/frame.js';
import { AnswerForm } from './answer-form.js';

/** URL of a hook. */
export function hookAddress(name: string): string {
  return `${window.location.origin}/hooks/in/${name}`;
}

/** Status of the answer. */
export function AnsweredWord({ answered }: { answered: HookAnswered }) {
  if (answered.status === null) return <span className="quiet">No answer</span>;
  const isTaken = answered.status < 300;
  return <span className={isTaken ? 'good' : 'bad'}>{answered.status}</span>;
}

interface SignatureCheckProps {
  readonly request: HookView;
  readonly secret: string;
  onSecret(secret: string): void;
}

/** The Standard Webhooks headers and a form to check the signature. */
function SignatureCheck({ request, secret, onSecret }: SignatureCheckProps) {
  const [verdict, setVerdict] = useState<HookVerdict | null>(null);
  const { id, timestamp, signature } = request.webhook;
  const check = (event: FormEvent) => {
    event.preventDefault();
    post<HookVerdict>(`/_hooks/requests/${request.id}/verdict`, { secret }).then(setVerdict, (error: unknown) =>
      setVerdict({
        holds: false,
        reason: error instanceof Error ? error.message : 'The sandbox could not be reached.',
      }),
    );
  };
  return (
    <div className="pane-scroll">
      <dl className="facts hook-facts">
        <div>
          <dt>webhook-id</dt>
          <dd>{id ?? <Missing />}</dd>
        </div>
        <div>
          <dt>webhook-timestamp</dt>
          <dd>{timestamp === null ? <Missing /> : `${timestamp}${timeOf(timestamp)}`}</dd>
        </div>
        <div>
          <dt>webhook-signature</dt>
          <dd>{signature ?? <Missing />}</dd>
        </div>
      </dl>
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
              setVerdict(null);
            }}
          />
        </label>
        <button className="button primary" type="submit" disabled={secret.trim() === ''}>
          Check
        </button>
      </form>
      <p className={verdict?.holds ? 'good' : 'bad'} role="status">
        {verdict?.reason}
      </p>
    </div>
  );
}

function Missing() {
  return <span className="quiet">not sent</span>;
}

function timeOf(timestamp: string): string {
  if (!/^\d{1,12}$/.test(timestamp)) return '';
  const at = new Date(Number(timestamp) * 1000).toISOString();
  return ` (${dayName(at)}, ${clockTime(at)})`;
}

type View = 'body' | 'raw' | 'headers' | 'signature' | 'answer';

const viewNames: Record<View, string> = {
  body: 'Body',
  raw: 'Raw',
  headers: 'Headers',
  signature: 'Signature',
  answer: 'Answers',
};

interface HookDetailProps {
  readonly request: HookView;
  readonly secret: string;
  onSecret(secret: string): void;
}

/** One request in tabs: body, headers, signature and answers. */
export function HookDetail({ request, secret, onSecret }: HookDetailProps) {
  const [view, setView] = useState<View>('body');
  const { name, method, path, at, answered, bytes, isCut, attempt } = request;
  return (
    <article className="pane">
      <header className="pane-head">
        <a className="button icon-button pane-back" href={LIST_ADDRESS} aria-label="All requests">
          <Icon name="back" />
        </a>
        <h2>
          {method} {name}
        </h2>
        <p className="quiet hook-path">{path}</p>
        <p className="quiet">
          <time dateTime={at}>
            {dayName(at)}, {clockTime(at)}
          </time>
          {' · '}
          <AnsweredWord answered={answered} />
          {answered.tookMs !== null && ` after ${answered.tookMs} ms`}
          {' · '}
          {counted(bytes, 'byte')}
          {isCut && ', of which the first 64 KiB are stored'}
          {attempt > 1 && ` · attempt ${attempt} of this webhook`}
        </p>
        <div className="tabs" role="group" aria-label="Show">
          {(Object.keys(viewNames) as View[]).map((known) => (
            <button key={known} type="button" aria-pressed={known === view} onClick={() => setView(known)}>
              {viewNames[known]}
            </button>
          ))}
        </div>
      </header>
      {view === 'body' && <Text text={readable(request.body)} />}
      {view === 'raw' && <Text text={request.body} />}
      {view === 'headers' && <Headers headers={request.headers} />}
      {view === 'signature' && <SignatureCheck request={request} secret={secret} onSecret={onSecret} />}
      {view === 'answer' && (
        <div className="pane-scroll">
          <p className="hook-address">
            <code>{hookAddress(name)}</code>
            <CopyButton text={hookAddress(name)} />
          </p>
          <AnswerForm name={name} />
        </div>
      )}
    </article>
  );
}

function Text({ text }: { text: string }) {
  return (
    <pre className="pane-text" dir="auto" tabIndex={0}>
      {text || 'No body'}
    </pre>
  );
}

function Headers({ headers }: Pick<HookView, 'headers'>) {
  return (
    <dl className="facts">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
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
