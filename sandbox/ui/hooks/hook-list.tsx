import type { HookLine } from '../../hooks/hook-request.js';
import { shortTime } from '../frame/format.js';
import { addressOf } from '../frame/open-id.js';
import { AnsweredWord } from './answered-word.js';

/** The requests, newest first. */
export function HookList({ lines, openId }: { lines: readonly HookLine[]; openId: string | null }) {
  return (
    <nav className="panes-list" aria-label="Requests">
      <h1>Webhooks</h1>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={addressOf(line.id)} aria-current={line.id === openId ? 'page' : undefined}>
              <span className="line-name">
                {line.method} · <AnsweredWord answered={line.answered} />
                {line.attempt > 1 && ` · try ${line.attempt}`}
              </span>
              <time dateTime={line.at}>{shortTime(line.at)}</time>
              <span className="line-title">{line.name}</span>
              <span className="line-preview" dir="auto">
                {line.preview || 'No body'}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
