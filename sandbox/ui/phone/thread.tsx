import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MessageView } from '../../phone/phone.routes.js';
import { clockTime, counted, dayName } from '../frame/format.js';
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
          {message.channel === 'whatsapp' ? <Formatted text={message.text} /> : message.text}
        </p>
      )}
      {message.media.map((file) => (
        <Picture key={file.sid} file={file} />
      ))}
      <p className="meta">
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        {message.channel === 'sms' && <span>{counted(message.segments, 'segment')}</span>}
        {message.carrier !== 'twilio' && <span>{carrierNames[message.carrier]}</span>}
        {message.validityPeriod !== null && <span>valid for {message.validityPeriod} s</span>}
        <span className={`status ${tone}`}>
          {icon} {label}
        </span>
      </p>
    </li>
  );
}

/** WhatsApp shows words between asterisks in bold. */
function Formatted({ text }: { text: string }) {
  const parts = text.split(/\*([^*\n]+)\*/);
  return parts.map((part, index) => (index % 2 === 1 ? <strong key={index}>{part}</strong> : part));
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
  /** Undefined until loaded. */
  readonly messages: readonly MessageView[] | undefined;
  readonly hasEarlier: boolean;
  /** Text of a channel without messages. */
  readonly emptyText: string;
  /** The form below the messages. */
  readonly children: ReactNode;
  onEarlier(): void;
}

/** The messages of one number in one channel. Stays at the newest message while the reader is at the end. */
export function Thread({ messages, hasEarlier, emptyText, children, onEarlier }: ThreadProps) {
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
    <>
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
        {messages?.length === 0 && <p className="log-none quiet">{emptyText}</p>}
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
      {children}
    </>
  );
}

function startsDay({ at }: MessageView, before: MessageView | undefined): boolean {
  return before === undefined || dayName(before.at) !== dayName(at);
}
