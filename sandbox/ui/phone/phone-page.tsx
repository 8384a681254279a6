import { useState } from 'react';
import { Frame } from '../frame/frame.js';
import { LiveWord } from '../frame/live-word.js';
import { NewNumber } from './new-number.js';
import './thread.css';
import './phone.css';
import { Thread } from './thread.js';
import { ThreadList } from './thread-list.js';
import { addressOf, usePhone } from './use-phone.js';
import { Welcome } from './welcome.js';

/** The phone: every text the product sends arrives here, and replies go back. */
export function PhonePage() {
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
          The sandbox does not answer. Is it still running? This page goes on by itself when it is back.
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
