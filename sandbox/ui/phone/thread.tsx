import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Bubble } from './bubble.js';
import { Coin } from './coin.js';
import { Composer } from './composer.js';
import { dayName, isSameDay, readableNumber } from '../frame/format.js';
import { Icon } from '../frame/icons.js';
import type { MessageView } from './phone-api.js';
import { LIST_ADDRESS } from './use-phone.js';

const NEAR_END_PX = 80;

interface ThreadProps {
  readonly phone: string;
  /** The product's number, to which replies go. */
  readonly sender: string;
  readonly messages: readonly MessageView[] | null;
  readonly hasEarlier: boolean;
  onEarlier(): void;
}

/** The thread of one number. Stays at the newest message while the reader is there. */
export function Thread({ phone, sender, messages, hasEarlier, onEarlier }: ThreadProps) {
  const log = useRef<HTMLDivElement>(null);
  const fromEndPx = useRef(0);
  const firstSid = useRef<string | undefined>(undefined);
  const [isAway, setIsAway] = useState(false);

  // Newer messages keep the end in view; earlier ones, added above, keep the distance to the end.
  useLayoutEffect(() => {
    const box = log.current;
    if (box === null) return;
    const grewAbove = firstSid.current !== undefined && firstSid.current !== messages?.[0]?.sid;
    firstSid.current = messages?.[0]?.sid;
    if (grewAbove || fromEndPx.current < NEAR_END_PX) {
      const away = fromEndPx.current < NEAR_END_PX ? 0 : fromEndPx.current;
      box.scrollTop = box.scrollHeight - box.clientHeight - away;
    }
  }, [messages]);

  // The keyboard of a phone, or a growing composer, takes room from the log; its end stays in view.
  useEffect(() => {
    const box = log.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => {
      if (fromEndPx.current < NEAR_END_PX) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const box = log.current;
    if (box === null) return;
    fromEndPx.current = box.scrollHeight - box.clientHeight - box.scrollTop;
    setIsAway(fromEndPx.current >= NEAR_END_PX);
  };

  return (
    <section className="thread" aria-label={`Messages with ${readableNumber(phone)}`}>
      <header className="thread-head">
        <a className="button icon-button thread-back" href={LIST_ADDRESS} aria-label="All numbers">
          <Icon name="back" />
        </a>
        <Coin phone={phone} />
        <div className="thread-names">
          <h2>{readableNumber(phone)}</h2>
          <p className="quiet">Texts with {readableNumber(sender)}</p>
        </div>
      </header>
      <div className="log" ref={log} onScroll={onScroll} tabIndex={0} role="log" aria-label="Messages">
        {hasEarlier && (
          <button className="button earlier" type="button" onClick={onEarlier}>
            Show earlier messages
          </button>
        )}
        <ol>{messages?.map((message, index) => entry(message, messages[index - 1]))}</ol>
        {messages?.length === 0 && (
          <p className="log-none quiet">Nothing here yet. Write the first text as this number below.</p>
        )}
      </div>
      {isAway && (
        <button
          className="button to-end"
          type="button"
          onClick={() => log.current?.scrollTo({ top: log.current.scrollHeight, behavior: 'smooth' })}
        >
          <Icon name="down" size={18} /> Newest
        </button>
      )}
      <Composer phone={phone} sender={sender} />
    </section>
  );
}

function entry(message: MessageView, before: MessageView | undefined) {
  const startsDay = before === undefined || !isSameDay(before.at, message.at);
  return (
    <Fragment key={message.sid}>
      {startsDay && <li className="day">{dayName(message.at)}</li>}
      <Bubble message={message} />
    </Fragment>
  );
}
