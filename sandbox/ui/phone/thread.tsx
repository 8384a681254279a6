import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MessageView } from '../../phone/phone.routes.js';
import { clockTime, counted, dayName, readableNumber } from '../frame/format.js';
import { BackLink } from '../frame/frame.js';
import { Composer } from './composer.js';
import { Coin } from './thread-list.js';
import { IconArrowDown } from '../frame/icons.js';
import { carrierNames, sentStatus, statusIcons, type StatusView } from '../frame/message-status.js';

function replyStatus(productStatus: number | null): StatusView {
  if (productStatus === null) return { icon: statusIcons.waiting, label: 'Sending' };
  if (productStatus >= 200 && productStatus < 300) {
    return { icon: statusIcons.sent, label: 'Accepted by the product', tone: 'good' };
  }
  const reason = productStatus === 0 ? 'did not answer' : `answered ${productStatus}`;
  return { icon: statusIcons.failed, label: `Not accepted: the product ${reason}`, tone: 'bad' };
}

const ARRIVES_WITHIN_MS = 3_000;

/** One message: outgoing on the left, replies on the right, with time, segments and status. */
function Bubble({ message }: { message: MessageView }) {
  const [isArriving] = useState(() => Date.now() - Date.parse(message.at) < ARRIVES_WITHIN_MS);
  const { icon, label, tone = '' } = message.isMine ? replyStatus(message.productStatus) : sentStatus(message);
  return (
    <li className={['message', message.isMine && 'mine', isArriving && 'arriving'].filter(Boolean).join(' ')}>
      <span className="visually-hidden">{message.isMine ? 'You wrote:' : `From ${message.sender}:`}</span>
      {message.text !== '' && (
        <p className="bubble" dir="auto">
          {message.text}
        </p>
      )}
      {message.media.map((file) => (
        <Picture key={file.sid} file={file} />
      ))}
      <p className="meta">
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        <span>{counted(message.segments, 'segment')}</span>
        {message.carrier !== 'twilio' && <span>{carrierNames[message.carrier]}</span>}
        {message.validityPeriod !== null && <span>valid for {message.validityPeriod} s</span>}
        <span className={`status ${tone}`}>
          {icon} {label}
        </span>
      </p>
    </li>
  );
}

/** A file as the phone shows it: a picture, or else the file's type. */
function Picture({ file: { sid, type } }: { file: MessageView['media'][number] }) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken || !type.startsWith('image/')) return <p className="bubble file">File: {type}</p>;
  return (
    <img
      className="bubble picture"
      src={`/_phone/media/${sid}`}
      alt={`A file of the type ${type}`}
      onError={() => setIsBroken(true)}
    />
  );
}

const NEAR_END_PX = 80;

interface ThreadProps {
  readonly phone: string;
  /** The product's number, recipient of replies. */
  readonly sender: string;
  /** Undefined until loaded. */
  readonly messages: readonly MessageView[] | undefined;
  readonly hasEarlier: boolean;
  onEarlier(): void;
}

/** The thread of one number. Stays at the newest message while the reader is at the end. */
export function Thread({ phone, sender, messages, hasEarlier, onEarlier }: ThreadProps) {
  const log = useRef<HTMLDivElement>(null);
  const fromEndPx = useRef(0);
  const firstSid = useRef<string | undefined>(undefined);
  const [isAway, setIsAway] = useState(false);

  // New messages keep the end in view; earlier messages, added above, keep the distance to the end.
  useLayoutEffect(() => {
    const box = log.current;
    if (box === null) return;
    const grewAbove = firstSid.current !== undefined && firstSid.current !== messages?.[0]?.sid;
    firstSid.current = messages?.[0]?.sid;
    const distancePx = fromEndPx.current < NEAR_END_PX ? 0 : fromEndPx.current;
    if (grewAbove || distancePx === 0) box.scrollTop = box.scrollHeight - box.clientHeight - distancePx;
  }, [messages]);

  // Keeps the end in view when the on-screen keyboard or the composer shrinks the log.
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
        <BackLink label="All numbers" />
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
        <ol>
          {messages?.map((message, index) => (
            <Fragment key={message.sid}>
              {startsDay(message, messages[index - 1]) && <li className="day">{dayName(message.at)}</li>}
              <Bubble message={message} />
            </Fragment>
          ))}
        </ol>
        {messages?.length === 0 && (
          <p className="log-none quiet">No messages yet. Write the first one as this number.</p>
        )}
      </div>
      {isAway && (
        <button
          className="button to-end"
          type="button"
          onClick={() => log.current?.scrollTo({ top: log.current.scrollHeight, behavior: 'smooth' })}
        >
          <IconArrowDown size={18} aria-hidden /> Newest
        </button>
      )}
      <Composer
        phone={phone}
        sender={sender}
        isTextOnly={messages?.findLast((message) => message.sender === sender)?.carrier === 'smsc'}
      />
    </section>
  );
}

function startsDay({ at }: MessageView, before: MessageView | undefined): boolean {
  return before === undefined || dayName(before.at) !== dayName(at);
}
