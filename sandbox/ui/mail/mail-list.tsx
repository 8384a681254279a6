import type { MailLine } from '../../mail/mail.routes.js';
import { shortTime } from '../frame/format.js';
import { addressOf } from '../frame/open-id.js';

/** The e-mails, newest first. */
export function MailList({ lines, openId }: { lines: readonly MailLine[]; openId: string | null }) {
  return (
    <nav className="panes-list" aria-label="E-mails">
      <h1>Mailbox</h1>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <a href={addressOf(line.id)} aria-current={line.id === openId ? 'page' : undefined}>
              <span className="line-name" dir="auto">
                {line.to}
              </span>
              <time dateTime={line.at}>{shortTime(line.at)}</time>
              <span className="line-title" dir="auto">
                {line.subject || 'No subject'}
              </span>
              <span className="line-preview" dir="auto">
                {line.preview}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
