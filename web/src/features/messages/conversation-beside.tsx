import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'react-router';
import type { ConversationRow } from '#contract/histories.js';
import { conversationListKey, conversationListQuery } from '../../api/messages.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { textOrMedia } from '../../dashboard/records/text-or-media.js';
import { conversationPath } from '../../paths.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import ConversationPage from './conversation-page.js';
import { filterIn } from './conversation-filter.js';
import styles from './conversation-beside.module.css';

/** Media query of wide screens, as in the style sheet. */
const WIDE = '(min-width: 1100px)';

/** A conversation; on wide screens beside the list from which it was opened. */
export default function ConversationBeside() {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const screen = window.matchMedia(WIDE);
    const follow = () => setWide(screen.matches);
    follow();
    screen.addEventListener('change', follow);
    return () => screen.removeEventListener('change', follow);
  }, []);
  return (
    <div className={styles.beside}>
      <div className={styles.thread}>
        <ConversationPage />
      </div>
      <aside className={styles.list} aria-label="Other conversations">
        {isWide && <List />}
      </aside>
    </div>
  );
}

/** The newest people of the list; empty after a failure, as the thread works without it. */
function List() {
  const { state } = useLocation() as { state: unknown };
  const { number = '' } = useParams();
  // A conversation that was opened from elsewhere is shown among all.
  const search = typeof state === 'object' && state && 'search' in state ? String(state.search) : '?tab=all';
  const { data } = useQuery({
    ...conversationListQuery(filterIn(new URLSearchParams(search))),
    refetchOnMount: 'always',
  });
  useRefresh(conversationListKey);
  return (
    <ul className={styles.people}>
      {data?.conversations.map((row) => (
        <li key={row.number}>
          <Link
            to={conversationPath(row.number)}
            state={{ search }}
            className={styles.person}
            aria-current={row.number === number ? 'page' : undefined}
            data-waits={row.isUnanswered || undefined}
          >
            <PhoneNumber number={row.number} />
            <Latest {...row} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Latest({ direction, text, isTextRemoved, mediaTypes }: ConversationRow) {
  return (
    <span className={styles.text} dir="auto">
      {direction === 'sent' && 'You: '}
      {textOrMedia(text, mediaTypes, isTextRemoved)}
    </span>
  );
}
