import { Frame } from '../frame/frame.js';
import { LiveWord } from '../frame/live-word.js';
import { Letter } from './letter.js';
import './mail.css';
import { MailList } from './mail-list.js';
import { useMail } from './use-mail.js';

/** The mailbox: every e-mail the product sends arrives here, whoever it is for. */
export function MailPage() {
  const { lines, openId, mail, live, isFailed } = useMail();
  return (
    <Frame part="Mailbox" end={<LiveWord state={live} />}>
      {isFailed && (
        <p className="trouble" role="alert">
          The sandbox does not answer. Is it still running? This page goes on by itself when it is back.
        </p>
      )}
      {!isFailed && lines?.length === 0 && <Empty />}
      {!isFailed && lines?.length !== 0 && (
        <div className={openId === null ? 'mail' : 'mail has-open'} aria-busy={lines === null}>
          <MailList lines={lines ?? []} openId={openId} />
          {openId === null && <p className="none-open quiet">Choose an e-mail on the left.</p>}
          {openId !== null && mail === null && <p className="none-open quiet" role="status" aria-label="Loading" />}
          {mail !== null && <Letter key={mail.id} mail={mail} />}
        </div>
      )}
    </Frame>
  );
}

function Empty() {
  return (
    <section className="mail-empty">
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
