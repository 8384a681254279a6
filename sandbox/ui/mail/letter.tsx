import { useState } from 'react';
import type { Mail } from '../../mail/mailbox.js';
import { clockTime, dayName } from '../frame/format.js';
import { Icon } from '../frame/icons.js';
import { LIST_ADDRESS } from '../frame/open-id.js';

type View = 'html' | 'text' | 'headers';

const viewNames: Record<View, string> = { html: 'HTML', text: 'Text', headers: 'Headers' };

/** One e-mail: who, what, when, and its parts side by side in tabs. */
export function Letter({ mail }: { mail: Mail }) {
  const views: View[] = [
    ...(mail.html === null ? [] : (['html'] as const)),
    ...(mail.text === null ? [] : (['text'] as const)),
    'headers',
  ];
  const [chosen, setChosen] = useState<View>(views[0] ?? 'headers');
  return (
    <article className="pane">
      <header className="pane-head">
        <a className="button icon-button pane-back" href={LIST_ADDRESS} aria-label="All e-mails">
          <Icon name="back" />
        </a>
        <h2 dir="auto">{mail.subject || 'No subject'}</h2>
        <p className="quiet">
          <bdi>{mail.headers['from'] ?? mail.from}</bdi> to <bdi className="letter-to">{mail.to}</bdi>
        </p>
        <p className="quiet letter-time">
          <time dateTime={mail.at}>
            {dayName(mail.at)}, {clockTime(mail.at)}
          </time>
          {mail.attachments.length > 0 && <span> · attached: {mail.attachments.join(', ')}</span>}
        </p>
        <div className="tabs" role="group" aria-label="Show as">
          {views.map((view) => (
            <button key={view} type="button" aria-pressed={view === chosen} onClick={() => setChosen(view)}>
              {viewNames[view]}
            </button>
          ))}
        </div>
      </header>
      {chosen === 'html' && <HtmlPart html={mail.html ?? ''} />}
      {chosen === 'text' && (
        <pre className="pane-text" dir="auto" tabIndex={0}>
          {mail.text}
        </pre>
      )}
      {chosen === 'headers' && (
        <dl className="facts">
          {Object.entries(mail.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

/** Scripts do not run in here, nothing is loaded from outside, and links open in a tab of their own. */
function HtmlPart({ html }: { html: string }) {
  return (
    <iframe
      className="letter-html"
      title="The e-mail as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
    />
  );
}
