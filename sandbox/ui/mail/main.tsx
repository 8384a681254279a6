import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Mail } from '../../mail/mailbox.js';
import { clockTime, dayName, shortTime } from '../frame/format.js';
import { Frame, Icon, LiveWord, Panes } from '../frame/frame.js';
import { addressOf, LIST_ADDRESS, type LiveListSource, useLiveList } from '../frame/live.js';
import type { MailLine } from '../../mail/mail.routes.js';
import './mail.css';

type View = 'html' | 'text' | 'headers';

const viewNames: Record<View, string> = { html: 'HTML', text: 'Text', headers: 'Headers' };

/** One e-mail with its parts in tabs. */
function Letter({ mail }: { mail: Mail }) {
  const views: View[] = [
    ...(mail.html === null ? [] : (['html'] as const)),
    ...(mail.text === null ? [] : (['text'] as const)),
    'headers',
  ];
  const [chosen, setChosen] = useState<View>(views[0] ?? 'headers');
  return (
    <article className="pane">
      <header className="pane-head">
        <a className="button icon-button pane-back" href={LIST_ADDRESS} aria-label="All e-mails">
          <Icon name="back" />
        </a>
        <h2 dir="auto">{mail.subject || 'No subject'}</h2>
        <p className="quiet">
          <bdi>{mail.headers['from'] ?? mail.from}</bdi> to <bdi className="letter-to">{mail.to}</bdi>
        </p>
        <p className="quiet letter-time">
          <time dateTime={mail.at}>
            {dayName(mail.at)}, {clockTime(mail.at)}
          </time>
          {mail.attachments.length > 0 && <span> · attached: {mail.attachments.join(', ')}</span>}
        </p>
        <div className="tabs" role="group" aria-label="Show as">
          {views.map((view) => (
            <button key={view} type="button" aria-pressed={view === chosen} onClick={() => setChosen(view)}>
              {viewNames[view]}
            </button>
          ))}
        </div>
      </header>
      {chosen === 'html' && <HtmlPart html={mail.html ?? ''} />}
      {chosen === 'text' && (
        <pre className="pane-text" dir="auto" tabIndex={0}>
          {mail.text}
        </pre>
      )}
      {chosen === 'headers' && (
        <dl className="facts">
          {Object.entries(mail.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

/** HTML in a frame without scripts or external content; links open in a new tab. */
function HtmlPart({ html }: { html: string }) {
  return (
    <iframe
      className="letter-html"
      title="The e-mail as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
    />
  );
}

/** E-mails, newest first. */
function MailList({ lines, openId }: { lines: readonly MailLine[]; openId: string | null }) {
  return (
    <nav className="panes-list" aria-label="E-mails">
      <h1>Mailbox</h1>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={addressOf(line.id)} aria-current={line.id === openId ? 'page' : undefined}>
              <span className="line-name" dir="auto">
                {line.to}
              </span>
              <time dateTime={line.at}>{shortTime(line.at)}</time>
              <span className="line-title" dir="auto">
                {line.subject || 'No subject'}
              </span>
              <span className="line-preview" dir="auto">
                {line.preview}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const source: LiveListSource = {
  listPath: '/_mail/messages',
  eventsPath: '/_mail/events',
  changes: ['mail', 'cleared'],
};

/** The mailbox: shows every e-mail of the product. */
function MailPage() {
  const { lines, openId, open, live, isFailed } = useLiveList<MailLine, Mail>(source);
  return (
    <Frame part="Mailbox" end={<LiveWord state={live} />}>
      <Panes
        noun="an e-mail"
        isFailed={isFailed}
        isEmpty={lines?.length === 0}
        isLoading={lines === null}
        isOpen={openId !== null}
        empty={<Empty />}
        list={<MailList lines={lines ?? []} openId={openId} />}
        pane={open === null ? null : <Letter key={open.id} mail={open} />}
      />
    </Frame>
  );
}

function Empty() {
  return (
    <section className="panes-empty">
      <svg width="168" height="120" viewBox="0 0 168 120" fill="none" aria-hidden="true">
        <g stroke="var(--quiet)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <rect x="34" y="22" width="100" height="72" rx="10" fill="var(--surface)" />
          <path d="M36 28l48 36 48-36" />
        </g>
        <g transform="translate(108 62) scale(1.3)">
          <path
            fill="var(--copper)"
            d="M16 2a13.5 13.5 0 1 1-5.6 25.8L3.7 29.9a.9.9 0 0 1-1.1-1.2l2.2-6A13.5 13.5 0 0 1 16 2Z"
          />
          <g stroke="var(--surface)" strokeLinecap="round" strokeLinejoin="round">
            <circle cx="16" cy="15.5" r="9.6" strokeWidth="1.2" />
            <path d="M13.4 21.2V10.4h3.5a3.3 3.3 0 0 1 0 6.6h-3.5" strokeWidth="2.2" />
          </g>
        </g>
      </svg>
      <h1>No e-mail yet</h1>
      <p className="quiet">
        Every e-mail of the product arrives here, whatever its recipient. Sign in to the product with a new account to
        get the welcome e-mail.
      </p>
    </section>
  );
}

const room = document.getElementById('page');
if (room === null) throw new Error('mail.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <MailPage />
  </StrictMode>,
);
