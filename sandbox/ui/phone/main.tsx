import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ThreadLine, ThreadsView } from '../../phone/phone.routes.js';
import { Copyable, Frame, mount, Panes } from '../frame/frame.js';
import { addressOf, call, useLive, useOpenId, useOpenNewest } from '../frame/live.js';
import { NewNumber } from './new-number.js';
import { OpenNumber } from './open-number.js';
import { readThreadId, threadId } from './thread-id.js';
import { ThreadList } from './thread-list.js';
import './phone.css';
import { IconDeviceMobileMessage } from '../frame/icons.js';

const THREADS_PER_PAGE = 60;

/** The phone: shows every message and call of the product, answers and sends replies. */
function PhonePage() {
  const live = useLive('/_phone/events', ['changed']);
  const [digits, setDigits] = useState('');
  const [threadsMax, setThreadsMax] = useState(THREADS_PER_PAGE);
  const [isChoosing, setIsChoosing] = useState(false);
  const [chosenSenders, setChosenSenders] = useState<Readonly<Record<string, string>>>({});
  const [openedAt] = useState(Date.now);
  const [readAt, setReadAt] = useState<Readonly<Record<string, number>>>({});
  const openId = useOpenId();
  const open = openId === null ? null : readThreadId(openId);
  const openPhone = open?.phone ?? null;
  const list = useQuery({
    queryKey: ['threads', digits, threadsMax],
    queryFn: () => call<ThreadsView>(`/_phone/threads?${new URLSearchParams({ digits, limit: String(threadsMax) })}`),
    placeholderData: keepPreviousData,
  });
  const threads = list.data?.threads ?? [];
  const sender = list.data?.sender ?? '';
  const isUnread = ({ phone, at, isMine }: ThreadLine) =>
    !isMine && phone !== openPhone && Date.parse(at) > (readAt[phone] ?? openedAt);
  const [newest] = threads;
  useOpenNewest(newest && threadId(newest.phone, newest.channel));

  const choose = (phone: string, to: string) => {
    setChosenSenders((senders) => ({ ...senders, [phone]: to }));
    setIsChoosing(false);
    window.location.hash = addressOf(phone);
  };
  const isEmpty = list.isSuccess && threads.length === 0 && digits === '' && openPhone === null;

  return (
    <Frame part="Phone" live={live}>
      {isEmpty ? (
        <Welcome productUrl={list.data.productUrl} onNewNumber={() => setIsChoosing(true)} />
      ) : (
        <Panes
          noun="a number"
          isFailed={list.isError}
          isLoading={list.isPending}
          isOpen={openPhone !== null}
          list={
            <ThreadList
              threads={threads}
              openPhone={openPhone}
              isUnread={isUnread}
              digits={digits}
              hasMore={list.data?.hasMore ?? false}
              onSearch={setDigits}
              onMore={() => setThreadsMax((max) => max + THREADS_PER_PAGE)}
              onNewNumber={() => setIsChoosing(true)}
            />
          }
          pane={
            open !== null && (
              <OpenNumber
                key={open.phone}
                phone={open.phone}
                channel={open.channel}
                sender={chosenSenders[open.phone]}
                fallbackSender={sender}
                onLeave={setReadAt}
              />
            )
          }
        />
      )}
      {isChoosing && <NewNumber sender={sender} onChoose={choose} onClose={() => setIsChoosing(false)} />}
    </Frame>
  );
}

/** The empty state: explains the page and shows how to send the first message. */
function Welcome({ productUrl, onNewNumber }: { productUrl: string; onNewNumber(): void }) {
  const command = [
    `curl ${productUrl}/api/sendsms \\`,
    `  -d to=+14155552671 \\`,
    `  -d message='Hello from Pennytext' \\`,
    `  -d apikey=YOUR_KEY`,
  ].join('\n');
  return (
    <section className="panes-empty">
      <IconDeviceMobileMessage className="drawing" size={96} stroke={1} aria-hidden />
      <h1>No messages yet</h1>
      <p className="quiet">
        Every message and call of the product arrives here, whatever its recipient. Insert your API key and paste this
        into a terminal:
      </p>
      <Copyable text={command} />
      <p className="quiet">
        Or{' '}
        <button className="link" type="button" onClick={onNewNumber}>
          use a new number
        </button>{' '}
        and write to the product.
      </p>
    </section>
  );
}

mount(<PhonePage />);
