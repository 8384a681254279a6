import type { KeyboardEvent } from 'react';
import { Coin } from './coin.js';
import { readableNumber, shortTime } from '../frame/format.js';
import { Icon } from '../frame/icons.js';
import type { MessageView } from './phone-api.js';
import { addressOf } from './use-phone.js';

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

/** The numbers, newest message first. */
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
