import { useState } from 'react';
import type { HookView } from '../../hooks/hook-request.js';
import { CopyButton } from '../frame/copy-button.js';
import { clockTime, counted, dayName } from '../frame/format.js';
import { Icon } from '../frame/icons.js';
import { LIST_ADDRESS } from '../frame/open-id.js';
import { AnswerForm } from './answer-form.js';
import { AnsweredWord } from './answered-word.js';
import { hookAddress } from './hook-address.js';
import { SignatureCheck } from './signature-check.js';

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

/** One request: what came, how it was signed and how it was answered, in tabs. */
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
          {isCut && ', of which the first 64 KiB are kept'}
          {attempt > 1 && ` · try ${attempt} of this webhook`}
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

/** JSON in lines; everything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // It is no JSON, or was cut short.
    return body;
  }
}
