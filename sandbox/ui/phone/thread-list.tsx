import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { readableNumber, shortTime } from '../frame/format.js';
import { Icon } from '../frame/frame.js';
import { addressOf, type MessageView } from './use-phone.js';

const TINTS = 5;

/** Avatar of a number: its last two digits in a color derived from the number. */
export function Coin({ phone }: { phone: string }) {
  let sum = 0;
  for (const character of phone) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return (
    <span className={`coin coin-${(sum % TINTS) + 1}`} aria-hidden="true">
      {phone.slice(-2)}
    </span>
  );
}

const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

interface NewNumberProps {
  /** The suggested number of the product. */
  readonly sender: string;
  onChoose(phone: string, sender: string): void;
  onClose(): void;
}

/** Asks for the phone's own number and the product's number. */
export function NewNumber({ sender, onChoose, onClose }: NewNumberProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    first.current?.setSelectionRange(first.current.value.length, first.current.value.length);
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [phone = '', to = ''] = ['phone', 'sender'].map((name) => bare(form.get(name)));
    if (!PHONE_NUMBER.test(phone)) setProblem('A phone number begins with + and its country code: +14155552671');
    else if (to === '') setProblem('Enter the number of the product to write to.');
    else if (to === phone) setProblem('A phone cannot write to itself.');
    else onChoose(phone, to);
  };

  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="new-number" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="new-number">New number</h2>
        <p className="quiet">Write as any phone number. No real phone is called or texted.</p>
        <label>
          This phone's number
          <input
            ref={first}
            name="phone"
            type="tel"
            autoComplete="off"
            defaultValue="+1415555"
            aria-describedby="new-number-problem"
          />
        </label>
        <label>
          The product's number
          <input name="sender" type="tel" autoComplete="off" defaultValue={sender} />
        </label>
        <p id="new-number-problem" className="bad dialog-problem" role="alert">
          {problem}
        </p>
        <div className="dialog-actions">
          <button className="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button primary" type="submit">
            Start writing
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Removes punctuation from an entered number. */
function bare(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field.replace(/[\s().-]/g, '') : '';
}

const PREVIEW_CHARACTERS_MAX = 120;

interface ThreadListProps {
  readonly threads: readonly MessageView[];
  readonly openPhone: string | null;
  readonly unread: ReadonlySet<string>;
  readonly digits: string;
  readonly hasMore: boolean;
  onSearch(digits: string): void;
  onMore(): void;
  onNewNumber(): void;
}

/** Threads, newest message first. */
export function ThreadList(props: ThreadListProps) {
  const { threads, openPhone, unread, digits, hasMore, onSearch, onMore, onNewNumber } = props;
  return (
    <nav className="list" aria-label="Numbers">
      <div className="list-head">
        <h1>Messages</h1>
        <button className="button" type="button" onClick={onNewNumber}>
          <Icon name="plus" size={18} /> New number
        </button>
        <label className="list-search">
          <Icon name="search" size={18} />
          <span className="visually-hidden">Find a number</span>
          <input
            type="search"
            inputMode="tel"
            placeholder="Find a number"
            defaultValue={digits}
            onChange={(event) => onSearch(event.target.value.replace(/[^\d+]/g, ''))}
          />
        </label>
      </div>
      <ul className="list-rows">
        {threads.map((last) => (
          <li key={last.phone}>
            <Row last={last} isOpen={last.phone === openPhone} isUnread={unread.has(last.phone)} />
          </li>
        ))}
        {threads.length === 0 && digits !== '' && <li className="list-none">No number has {digits} in it.</li>}
        {hasMore && (
          <li className="list-more">
            <button className="button" type="button" onClick={onMore}>
              Show older
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Row({ last, isOpen, isUnread }: { last: MessageView; isOpen: boolean; isUnread: boolean }) {
  return (
    <a className="row" href={addressOf(last.phone)} aria-current={isOpen ? 'page' : undefined} onKeyDown={moveFocus}>
      <Coin phone={last.phone} />
      <span className="row-number">{readableNumber(last.phone)}</span>
      <time className="row-time" dateTime={last.at}>
        {shortTime(last.at)}
      </time>
      <span className="row-text">
        {last.status === 'undelivered' && <span className="bad">Not delivered:</span>}
        {last.mine && <span>You:</span>}
        <span className="row-start" dir="auto">
          {last.text.slice(0, PREVIEW_CHARACTERS_MAX)}
        </span>
      </span>
      {isUnread && (
        <span className="row-new">
          <span className="visually-hidden">new</span>
        </span>
      )}
    </a>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('.row') ?? [])];
  const index = rows.indexOf(event.currentTarget);
  const target = rows[index + (event.key === 'ArrowDown' ? 1 : -1)];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}
