import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { HookLine, HookView } from '../../hooks/hook-book.js';
import { shortTime } from '../frame/format.js';
import { addressOf, type LiveListSource, useLiveList } from '../frame/live.js';
import { CopyButton, Frame, LiveWord, Panes } from '../frame/frame.js';
import { AnsweredWord, hookAddress, HookDetail } from './hook-detail.js';
import { AnswerForm } from './answer-form.js';
import './hooks.css';

/** Requests, newest first. */
function HookList({ lines, openId }: { lines: readonly HookLine[]; openId: string | null }) {
  return (
    <nav className="panes-list" aria-label="Requests">
      <h1>Webhooks</h1>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={addressOf(line.id)} aria-current={line.id === openId ? 'page' : undefined}>
              <span className="line-name">
                {line.method} · <AnsweredWord answered={line.answered} />
                {line.attempt > 1 && ` · attempt ${line.attempt}`}
              </span>
              <time dateTime={line.at}>{shortTime(line.at)}</time>
              <span className="line-title">{line.name}</span>
              <span className="line-preview" dir="auto">
                {line.preview || 'No body'}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const FIRST_NAME = 'my-webhook';

const source: LiveListSource = {
  listPath: '/_hooks/requests',
  eventsPath: '/_hooks/events',
  changes: ['hook', 'cleared'],
};

/** The webhook inspector: shows requests to /hooks/in/…. */
function HooksPage() {
  const { lines, openId, open, live, isFailed } = useLiveList<HookLine, HookView>(source);
  // Shared by all requests, so that it is pasted once. It is sent to the sandbox only.
  const [secret, setSecret] = useState('');
  return (
    <Frame part="Webhooks" end={<LiveWord state={live} />}>
      <Panes
        noun="a request"
        isFailed={isFailed}
        isEmpty={lines?.length === 0}
        isLoading={lines === null}
        isOpen={openId !== null}
        empty={<Empty />}
        list={<HookList lines={lines ?? []} openId={openId} />}
        pane={open === null ? null : <HookDetail key={open.id} request={open} secret={secret} onSecret={setSecret} />}
      />
    </Frame>
  );
}

function Empty() {
  return (
    <section className="panes-empty">
      <svg width="168" height="104" viewBox="0 0 168 104" fill="none" aria-hidden="true">
        <g stroke="var(--quiet)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <rect x="96" y="12" width="56" height="80" rx="8" fill="var(--surface)" />
          <path d="M108 30h32M108 44h32M108 58h20" />
        </g>
        <g stroke="var(--copper)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
          <path d="M16 52h64M66 38l14 14-14 14" />
        </g>
      </svg>
      <h1>No webhook yet</h1>
      <p className="quiet">
        Enter this URL in the product as webhook URL, with any name. Every request to it appears here and is answered as
        you choose.
      </p>
      <p className="hook-address">
        <code>{hookAddress(FIRST_NAME)}</code>
        <CopyButton text={hookAddress(FIRST_NAME)} />
      </p>
      <AnswerForm name={FIRST_NAME} />
    </section>
  );
}

const room = document.getElementById('page');
if (room === null) throw new Error('hooks.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <HooksPage />
  </StrictMode>,
);
