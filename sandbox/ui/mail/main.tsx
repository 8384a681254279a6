import { useState } from 'react';
import type { MailLine } from '../../mail/mail.routes.js';
import type { Mail } from '../../mail/mailbox.js';
import { clockTime, dayName } from '../frame/format.js';
import { BackLink, Facts, mount, PaneText, Tabs } from '../frame/frame.js';
import { ItemsPage } from '../frame/items-page.js';
import './mail.css';
import { IconMail } from '../frame/icons.js';

type View = 'html' | 'text' | 'headers';

/** One email with its parts in tabs. */
function Letter({ mail }: { mail: Mail }) {
  const tabs: (readonly [View, string])[] = [
    ...(mail.html === null ? [] : [['html', 'HTML'] as const]),
    ...(mail.text === null ? [] : [['text', 'Text'] as const]),
    ['headers', 'Headers'],
  ];
  const [chosen, setChosen] = useState<View>(tabs[0]?.[0] ?? 'headers');
  return (
    <article className="pane">
      <header className="pane-head">
        <BackLink label="All emails" />
        <h2 dir="auto">{mail.subject || 'No subject'}</h2>
        <p className="quiet">
          <bdi>{mail.headers['from'] ?? mail.from}</bdi> to <bdi className="letter-to">{mail.to}</bdi>
        </p>
        <p className="quiet">
          <time dateTime={mail.at}>
            {dayName(mail.at)}, {clockTime(mail.at)}
          </time>
          {mail.attachments.length > 0 && <span> · attached: {mail.attachments.join(', ')}</span>}
        </p>
        <Tabs<View> label="Show as" tabs={tabs} chosen={chosen} onChoose={setChosen} />
      </header>
      {chosen === 'html' && <HtmlPart html={mail.html ?? ''} />}
      {chosen === 'text' && <PaneText text={mail.text ?? ''} />}
      {chosen === 'headers' && <Facts facts={Object.entries(mail.headers)} />}
    </article>
  );
}

/** HTML in a frame without scripts or external content; links open in a new tab. */
function HtmlPart({ html }: { html: string }) {
  return (
    <iframe
      className="letter-html"
      title="The email as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
    />
  );
}

function Empty() {
  return (
    <>
      <IconMail className="drawing" size={96} stroke={1} aria-hidden />
      <h1>No email yet</h1>
      <p className="quiet">
        Every email of the product arrives here, whatever its recipient. Sign in to the product with a new account to
        get the welcome email.
      </p>
    </>
  );
}

mount(
  <ItemsPage<MailLine, Mail>
    part="Mailbox"
    noun="an email"
    listPath="/_mail/messages"
    eventsPath="/_mail/events"
    events={['mail', 'cleared']}
    renderLine={({ to, subject, preview }) => ({ name: to, title: subject || 'No subject', preview })}
    renderItem={(mail) => <Letter key={mail.id} mail={mail} />}
    empty={<Empty />}
  />,
);
