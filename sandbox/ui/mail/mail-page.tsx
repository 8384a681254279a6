import type { MailLine } from '../../mail/mail.routes.js';
import type { Mail } from '../../mail/mailbox.js';
import { Frame } from '../frame/frame.js';
import { LiveWord } from '../frame/live-word.js';
import { Panes } from '../frame/panes.js';
import { useLiveList, type LiveListSource } from '../frame/use-live-list.js';
import { Letter } from './letter.js';
import './mail.css';
import { MailList } from './mail-list.js';

const source: LiveListSource = {
  listPath: '/_mail/messages',
  eventsPath: '/_mail/events',
  changes: ['mail', 'cleared'],
};

/** The mailbox: every e-mail the product sends arrives here, whoever it is for. */
export function MailPage() {
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
        Every e-mail the product sends arrives here, whoever it is for. Sign in to the product as somebody new: the
        welcome e-mail is the first.
      </p>
    </section>
  );
}
