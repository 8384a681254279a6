import type { ReactNode } from 'react';
import { shortTime } from './format.js';
import { Frame, Panes } from './frame.js';
import { addressOf, useItems, useLive } from './live.js';

/** Content of an item's line in the list. */
interface LineContent {
  readonly name: ReactNode;
  readonly title: string;
  readonly preview: string;
}

interface ItemsPageProps<Line, Item> {
  /** Short name of the page. */
  readonly part: string;
  /** Name of an item, as in "Choose an email". */
  readonly noun: string;
  /** Path of the list. An item is below it, by its id. */
  readonly listPath: string;
  readonly eventsPath: string;
  /** Events that announce changes. */
  readonly events: readonly string[];
  renderLine(line: Line): LineContent;
  renderItem(item: Item): ReactNode;
  /** Notice while there are no items. */
  readonly empty: ReactNode;
}

/** A page with a live list of received items, newest first, and the open item. */
export function ItemsPage<Line extends { readonly id: string; readonly at: string }, Item>(
  props: ItemsPageProps<Line, Item>,
) {
  const { part, noun, listPath, eventsPath, events, renderLine, renderItem, empty } = props;
  const live = useLive(eventsPath, events);
  const { lines, openId, item, isFailed } = useItems<Line, Item>(listPath);
  if (lines?.length === 0 && live !== 'lost') {
    return (
      <Frame part={part} live={live}>
        <section className="panes-empty">{empty}</section>
      </Frame>
    );
  }
  return (
    <Frame part={part} live={live}>
      <Panes
        noun={noun}
        isFailed={isFailed || live === 'lost'}
        isLoading={lines === undefined}
        isOpen={openId !== null}
        list={
          <nav className="panes-list" aria-label={part}>
            <h1>{part}</h1>
            <ul>
              {lines?.map((line) => (
                <li key={line.id}>
                  <ItemLink id={line.id} at={line.at} isOpen={line.id === openId} {...renderLine(line)} />
                </li>
              ))}
            </ul>
          </nav>
        }
        pane={item && renderItem(item)}
      />
    </Frame>
  );
}

function ItemLink({ id, at, isOpen, name, title, preview }: LineContent & { id: string; at: string; isOpen: boolean }) {
  return (
    <a href={addressOf(id)} aria-current={isOpen ? 'page' : undefined}>
      <span className="line-name" dir="auto">
        {name}
      </span>
      <time dateTime={at}>{shortTime(at)}</time>
      <span className="line-title" dir="auto">
        {title}
      </span>
      <span className="line-preview" dir="auto">
        {preview}
      </span>
    </a>
  );
}
