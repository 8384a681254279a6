import { type FormEvent, Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { clockTime, counted, dayName, isSameDay, readableNumber } from '../frame/format.js';
import { Icon, type IconName } from '../frame/frame.js';
import { segmentCount } from '../../twilio/segments.js';
import { LIST_ADDRESS, type MessageView, sendReply } from './use-phone.js';
import { Coin } from './thread-list.js';

const ARRIVES_WITHIN_MS = 3_000;

const statusWords: Record<string, { icon: IconName; word: string; tone: string }> = {
  accepted: { icon: 'queued', word: 'Accepted', tone: '' },
  queued: { icon: 'queued', word: 'Queued', tone: '' },
  sent: { icon: 'sent', word: 'Sent', tone: '' },
  delivered: { icon: 'delivered', word: 'Delivered', tone: 'good' },
  undelivered: { icon: 'undelivered', word: 'Not delivered', tone: 'bad' },
};

/** One message: outgoing on the left, replies on the right, with time, segments and status. */
function Bubble({ message }: { message: MessageView }) {
  const [isArriving] = useState(() => Date.now() - Date.parse(message.at) < ARRIVES_WITHIN_MS);
  const { icon, word, tone } = message.mine ? replyStatus(message.productStatus) : sentStatus(message);
  return (
    <li className={['message', message.mine && 'mine', isArriving && 'arriving'].filter(Boolean).join(' ')}>
      <span className="visually-hidden">{message.mine ? 'You wrote:' : `From ${message.sender}:`}</span>
      <p className="bubble" dir="auto">
        {message.text}
      </p>
      <p className="meta">
        <time dateTime={message.at}>{clockTime(message.at)}</time>
        <span>{counted(message.segments, 'segment')}</span>
        <span className={`status ${tone}`}>
          <Icon name={icon} size={15} /> {word}
        </span>
      </p>
    </li>
  );
}

function sentStatus({ status, problem }: MessageView): { icon: IconName; word: string; tone: string } {
  const known = statusWords[status] ?? { icon: 'queued' as const, word: status, tone: '' };
  return problem === null ? known : { ...known, word: `${known.word} (${problem})` };
}

function replyStatus(productStatus: number | null): { icon: IconName; word: string; tone: string } {
  if (productStatus === null) return { icon: 'queued', word: 'On its way', tone: '' };
  if (productStatus === 0) return { icon: 'undelivered', word: 'Not taken: the product did not answer', tone: 'bad' };
  if (productStatus >= 200 && productStatus < 300) return { icon: 'sent', word: 'Taken by the product', tone: 'good' };
  return { icon: 'undelivered', word: `Not taken: the product answered ${productStatus}`, tone: 'bad' };
}

const TEXT_CHARACTERS_MAX = 1600;

const LONG_TEXT =
  'This is a long text that does not fit into a single message, so the phone sends it in segments and the other side ' +
  'puts them together again. Up to 160 characters travel as one segment. Beyond that, each segment carries only 153 ' +
  'characters, because the rest numbers the segments. This text takes three segments altogether.';

const quickReplies = [
  { label: 'STOP', text: 'STOP' },
  { label: 'YES', text: 'YES' },
  { label: 'Long text', text: LONG_TEXT },
];

/** Writes to the product as the open number. */
function Composer({ phone, sender }: { phone: string; sender: string }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const send = (reply: string) => {
    setProblem(null);
    sendReply(phone, sender, reply).catch((error: unknown) => {
      setProblem(`Not sent. ${error instanceof Error ? error.message : 'The sandbox could not be reached.'}`);
      setText((current) => (current === '' ? reply : current));
    });
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    send(text);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form className="composer" onSubmit={submit}>
      <div className="quick">
        {quickReplies.map((reply) => (
          <button key={reply.label} className="chip" type="button" onClick={() => send(reply.text)}>
            <span className="visually-hidden">Send </span>
            {reply.label}
          </button>
        ))}
        <span className="count" aria-live="polite">
          {text === '' ? '' : counted(segmentCount(text), 'segment')}
        </span>
      </div>
      <div className="write">
        <textarea
          aria-label={`Write as ${readableNumber(phone)}`}
          placeholder="Write as this number"
          rows={1}
          maxLength={TEXT_CHARACTERS_MAX}
          value={text}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button className="button primary icon-button" type="submit" disabled={text.trim() === ''} aria-label="Send">
          <Icon name="send" />
        </button>
      </div>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

const NEAR_END_PX = 80;

interface ThreadProps {
  readonly phone: string;
  /** The product's number, recipient of replies. */
  readonly sender: string;
  readonly messages: readonly MessageView[] | null;
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
    if (grewAbove || fromEndPx.current < NEAR_END_PX) {
      const away = fromEndPx.current < NEAR_END_PX ? 0 : fromEndPx.current;
      box.scrollTop = box.scrollHeight - box.clientHeight - away;
    }
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
