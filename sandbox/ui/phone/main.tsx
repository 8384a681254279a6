import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CopyButton, Frame, LiveWord } from '../frame/frame.js';
import { NewNumber, ThreadList } from './thread-list.js';
import './phone.css';
import { Thread } from './thread.js';
import { addressOf, usePhone } from './use-phone.js';

interface WelcomeProps {
  readonly productUrl: string;
  onNewNumber(): void;
}

/** The empty state: explains the page and shows how to send the first message. */
function Welcome({ productUrl, onNewNumber }: WelcomeProps) {
  const command = [
    `curl ${productUrl}/api/sendsms \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"to": "+14155552671",`,
    `       "message": "Hello from Pennytext",`,
    `       "apikey": "YOUR_KEY"}'`,
  ].join('\n');

  return (
    <section className="welcome">
      <Drawing />
      <h1>This phone is waiting for its first text</h1>
      <p className="quiet">
        Every message of the product arrives here, whatever its recipient. Insert your API key and paste this into a
        terminal:
      </p>
      <div className="code">
        <div className="code-head">
          <span>Terminal</span>
          <CopyButton text={command} />
        </div>
        <pre tabIndex={0}>
          <code>{command}</code>
        </pre>
      </div>
      <p className="quiet">
        Or{' '}
        <button className="link" type="button" onClick={onNewNumber}>
          use a new number
        </button>{' '}
        and write to the product.
      </p>
    </section>
  );
}

function Drawing() {
  return (
    <svg className="drawing" width="168" height="132" viewBox="0 0 168 132" fill="none" aria-hidden="true">
      <g stroke="var(--quiet)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <rect x="52" y="6" width="64" height="120" rx="12" fill="var(--surface)" />
        <path d="M77 14h14" />
        <path d="M64 100h28M64 110h16" opacity=".45" />
      </g>
      <g transform="translate(61 32) scale(1.45)">
        <path
          fill="var(--copper)"
          d="M16 2a13.5 13.5 0 1 1-5.6 25.8L3.7 29.9a.9.9 0 0 1-1.1-1.2l2.2-6A13.5 13.5 0 0 1 16 2Z"
        />
        <g stroke="var(--surface)" strokeLinecap="round" strokeLinejoin="round">
          <circle cx="16" cy="15.5" r="9.6" strokeWidth="1.2" />
          <path d="M13.4 21.2V10.4h3.5a3.3 3.3 0 0 1 0 6.6h-3.5" strokeWidth="2.2" />
        </g>
      </g>
      <g stroke="var(--copper)" strokeWidth="2" strokeLinecap="round">
        <path d="M8 66h10M26 66h14" opacity=".8" />
        <path d="M16 52h20M4 80h8M22 80h16" opacity=".45" />
        <path d="M130 44l8-6M132 58h11M130 72l8 6" opacity=".8" />
      </g>
    </svg>
  );
}

/** The phone: shows every message of the product and sends replies. */
function PhonePage() {
  const { state, search, readMore, readEarlier } = usePhone();
  const [isChoosing, setIsChoosing] = useState(false);
  const [chosenSenders, setChosenSenders] = useState<Readonly<Record<string, string>>>({});

  const choose = (phone: string, sender: string) => {
    setChosenSenders((senders) => ({ ...senders, [phone]: sender }));
    setIsChoosing(false);
    window.location.hash = addressOf(phone);
  };
  const { openPhone, messages, threads } = state;
  const isEmpty = state.reading === 'done' && threads.length === 0 && state.digits === '' && openPhone === null;
  const lastSender = messages?.[messages.length - 1]?.sender;

  return (
    <Frame part="Phone" end={<LiveWord state={state.live} />}>
      {state.reading === 'failed' && (
        <p className="trouble" role="alert">
          The sandbox does not answer. Is it running? This page continues when it is back.
        </p>
      )}
      {isEmpty && <Welcome productUrl={state.productUrl} onNewNumber={() => setIsChoosing(true)} />}
      {!isEmpty && state.reading !== 'failed' && (
        <div className={openPhone === null ? 'phone' : 'phone has-open'} aria-busy={state.reading === 'first'}>
          <ThreadList
            threads={threads}
            openPhone={openPhone}
            unread={state.unread}
            digits={state.digits}
            hasMore={state.next !== null}
            onSearch={search}
            onMore={readMore}
            onNewNumber={() => setIsChoosing(true)}
          />
          {openPhone === null ? (
            <p className="none-open quiet">Choose a number on the left.</p>
          ) : (
            <Thread
              key={openPhone}
              phone={openPhone}
              sender={chosenSenders[openPhone] ?? lastSender ?? state.sender}
              messages={messages}
              hasEarlier={state.earlier !== null}
              onEarlier={readEarlier}
            />
          )}
        </div>
      )}
      {isChoosing && <NewNumber sender={state.sender} onChoose={choose} onClose={() => setIsChoosing(false)} />}
    </Frame>
  );
}

const room = document.getElementById('page');
if (room === null) throw new Error('phone.html has no element with the id "page".');
createRoot(room).render(
  <StrictMode>
    <PhonePage />
  </StrictMode>,
);
