import { useEffect, useState } from 'react';
import type { MailLine } from '../../src/mail/mail.routes.js';
import type { Mail } from '../../src/mail/mailbox.js';
import { listenTo } from '../frame/event-source.js';
import type { LiveState } from '../frame/live-word.js';

/** What the mailbox shows. `lines` is null until the first answer, `mail` while the open one is read. */
export interface MailState {
  readonly lines: readonly MailLine[] | null;
  readonly openId: string | null;
  readonly mail: Mail | null;
  readonly live: LiveState;
  readonly isFailed: boolean;
}

export function useMail(): MailState {
  const [lines, setLines] = useState<readonly MailLine[] | null>(null);
  const [openId, setOpenId] = useState(idInAddress);
  const [mail, setMail] = useState<Mail | null>(null);
  const [live, setLive] = useState<LiveState>('connecting');
  const [isFailed, setIsFailed] = useState(false);

  useEffect(() => {
    const follow = () => setOpenId(idInAddress());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);

  useEffect(() => {
    const refresh = () => {
      read<MailLine[]>('/_mail/messages').then(
        (answer) => {
          setLines(answer);
          setIsFailed(false);
        },
        () => setIsFailed(true),
      );
    };
    const hello = () => {
      setLive('live');
      refresh();
    };
    return listenTo('/_mail/events', { hello, mail: refresh, cleared: refresh }, () => {
      setLive('lost');
      setIsFailed(true);
    });
  }, []);

  // Opens on the newest mail where there is room for both; on a phone the list comes first.
  const newest = lines?.[0]?.id;
  useEffect(() => {
    const hasRoom = window.matchMedia('(min-width: 720px)').matches;
    if (hasRoom && newest !== undefined && window.location.hash === '') window.location.replace(mailAddress(newest));
  }, [newest]);

  useEffect(() => {
    let isCurrent = true;
    if (openId === null) return;
    read<Mail>(`/_mail/messages/${encodeURIComponent(openId)}`).then(
      (answer) => isCurrent && setMail(answer),
      // A mail of an earlier run is gone: the list is what there is.
      () => isCurrent && window.location.replace(LIST_ADDRESS),
    );
    return () => {
      isCurrent = false;
    };
  }, [openId]);

  return { lines, openId, mail: mail?.id === openId ? mail : null, live, isFailed };
}

/** The link that opens a mail. */
export function mailAddress(id: string): string {
  return `#/${id}`;
}

/** The link that shows the list. */
export const LIST_ADDRESS = '#/';

function idInAddress(): string | null {
  const id = window.location.hash.replace(/^#\/?/, '');
  return id === '' ? null : id;
}

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
  return (await answer.json()) as T;
}
