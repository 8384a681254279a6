import type { ThreadLine } from '../../phone/phone.routes.js';
import { filesInWords, readableNumber, shortTime } from '../frame/format.js';
import { addressOf } from '../frame/live.js';
import { IconPhone, IconPlus, IconSearch } from '../frame/icons.js';
import { threadId } from './thread-id.js';

const TINTS = 5;
const PREVIEW_CHARACTERS_MAX = 120;
/** Words that WhatsApp shows in bold. */
const BOLD = /\*([^*\n]+)\*/g;

/** Avatar of a number: its last two digits in a color derived from the number. */
export function Coin({ phone }: { phone: string }) {
  return (
    <span className={`coin coin-${(Number(phone.replace(/\D/g, '')) % TINTS) + 1}`} aria-hidden="true">
      {phone.slice(-2)}
    </span>
  );
}

interface ThreadListProps {
  readonly threads: readonly ThreadLine[];
  readonly openPhone: string | null;
  readonly digits: string;
  readonly hasMore: boolean;
  /** Whether the last message came after the page or the thread was last open. */
  isUnread(last: ThreadLine): boolean;
  onSearch(digits: string): void;
  onMore(): void;
  onNewNumber(): void;
}

/** Threads, newest message first. */
export function ThreadList(props: ThreadListProps) {
  const { threads, openPhone, isUnread, digits, hasMore, onSearch, onMore, onNewNumber } = props;
  return (
    <nav className="panes-list" aria-label="Numbers">
      <div className="list-head">
        <h1>Messages</h1>
        <button className="button" type="button" onClick={onNewNumber}>
          <IconPlus size={18} aria-hidden /> New number
        </button>
        <label className="list-search">
          <IconSearch size={18} aria-hidden />
          <span className="visually-hidden">Find a number</span>
          <input
            type="search"
            inputMode="tel"
            placeholder="Find a number"
            value={digits}
            onChange={(event) => onSearch(event.target.value.replace(/[^\d+]/g, ''))}
          />
        </label>
      </div>
      <ul>
        {threads.map((last) => (
          <li key={last.phone}>
            <Row last={last} isOpen={last.phone === openPhone} isUnread={isUnread(last)} />
          </li>
        ))}
        {threads.length === 0 && digits !== '' && <li className="list-note">No number contains {digits}.</li>}
        {hasMore && (
          <li className="list-note">
            <button className="button" type="button" onClick={onMore}>
              Show older
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Row({ last, isOpen, isUnread }: { last: ThreadLine; isOpen: boolean; isUnread: boolean }) {
  return (
    <a className="row" href={addressOf(threadId(last.phone, last.channel))} aria-current={isOpen ? 'page' : undefined}>
      <Coin phone={last.phone} />
      <span className="row-number">{readableNumber(last.phone)}</span>
      <time dateTime={last.at}>{shortTime(last.at)}</time>
      <span className="line-preview" dir="auto">
        <Preview last={last} />
      </span>
      {isUnread && (
        <span className="row-new">
          <span className="visually-hidden">new</span>
        </span>
      )}
    </a>
  );
}

/** The last event of a number in a few words: a text, or a call with what was spoken. */
function Preview({ last }: { last: ThreadLine }) {
  const text = last.text.slice(0, PREVIEW_CHARACTERS_MAX) || filesInWords(last.media);
  if (last.channel === 'calls') return <CallPreview last={last} text={text} />;
  return (
    <>
      {last.channel === 'whatsapp' && 'WhatsApp: '}
      {last.isFailed && <span className="bad">Not delivered: </span>}
      {last.isMine && 'You: '}
      {last.channel === 'whatsapp' ? text.replaceAll(BOLD, '$1') : text}
    </>
  );
}

function CallPreview({ last, text }: { last: ThreadLine; text: string }) {
  return (
    <>
      <IconPhone className="row-icon" size={14} aria-hidden /> {last.isRinging && <strong>Call is ringing</strong>}
      {last.isFailed && <span className="bad">Call not taken</span>}
      {!last.isRinging && !last.isFailed && (text === '' ? 'Call' : `Call: ${text}`)}
    </>
  );
}
