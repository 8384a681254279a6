import { Tabs } from '@base-ui/react/tabs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import type { PhoneChannel } from '../../phone/channels.js';
import type { CallsView, ThreadView } from '../../phone/phone.routes.js';
import { readableNumber } from '../frame/format.js';
import { BackLink } from '../frame/frame.js';
import { addressOf, call } from '../frame/live.js';
import { Calls } from './calls.js';
import { ChatComposer } from './chat-composer.js';
import { Composer } from './composer.js';
import { Thread } from './thread.js';
import { threadId } from './thread-id.js';
import { Coin } from './thread-list.js';

const ITEMS_PER_PAGE = 40;

const tabs: readonly (readonly [PhoneChannel, string])[] = [
  ['sms', 'SMS'],
  ['whatsapp', 'WhatsApp'],
  ['calls', 'Calls'],
];

interface OpenNumberProps {
  readonly phone: string;
  readonly channel: PhoneChannel;
  /** Sender chosen in the dialog. */
  readonly sender: string | undefined;
  /** Sender for a phone without messages. */
  readonly fallbackSender: string;
  readonly onLeave: Dispatch<SetStateAction<Readonly<Record<string, number>>>>;
}

/** One number with its messages and calls, a tab for each channel. */
export function OpenNumber({ phone, channel, sender, fallbackSender, onLeave }: OpenNumberProps) {
  useEffect(() => () => onLeave((readAt) => ({ ...readAt, [phone]: Date.now() })), [phone, onLeave]);
  const [callsMax, setCallsMax] = useState(ITEMS_PER_PAGE);
  const calls = useQuery({
    queryKey: ['calls', phone, callsMax],
    queryFn: () => call<CallsView>(`/_phone/calls/${encodeURIComponent(phone)}?limit=${callsMax}`),
    placeholderData: keepPreviousData,
  });
  const ringing = calls.data?.calls.findLast(({ status }) => status === 'ringing');
  const open = (value: PhoneChannel) => window.location.replace(addressOf(threadId(phone, value)));

  return (
    <Tabs.Root className="thread" value={channel} onValueChange={open}>
      <header className="thread-head">
        <BackLink label="All numbers" />
        <Coin phone={phone} />
        <h2>{readableNumber(phone)}</h2>
        <Tabs.List className="tabs thread-tabs" aria-label={`Channels of ${readableNumber(phone)}`} activateOnFocus>
          {tabs.map(([name, text]) => (
            <Tabs.Tab key={name} value={name}>
              {text}
              {name === 'calls' && ringing !== undefined && (
                <>
                  {' '}
                  <span className="tab-ringing">ringing</span>
                </>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <p className="visually-hidden" role="status">
          {ringing !== undefined && `Call from ${readableNumber(ringing.caller)}`}
        </p>
      </header>
      <Tabs.Panel className="thread-panel" value="sms" tabIndex={-1}>
        <Texts phone={phone} chosenSender={sender} fallbackSender={fallbackSender} />
      </Tabs.Panel>
      <Tabs.Panel className="thread-panel" value="whatsapp" tabIndex={-1}>
        <Chat phone={phone} />
      </Tabs.Panel>
      <Tabs.Panel className="thread-panel" value="calls" tabIndex={-1}>
        <Calls phone={phone} view={calls.data} onEarlier={() => setCallsMax((max) => max + ITEMS_PER_PAGE)} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

/** The newest messages of a channel, and more on request. */
function useMessages(phone: string, channel: 'sms' | 'whatsapp') {
  const [messagesMax, setMessagesMax] = useState(ITEMS_PER_PAGE);
  const { data } = useQuery({
    queryKey: ['thread', phone, channel, messagesMax],
    queryFn: () =>
      call<ThreadView>(`/_phone/threads/${encodeURIComponent(phone)}?channel=${channel}&limit=${messagesMax}`),
    placeholderData: keepPreviousData,
  });
  const onEarlier = () => setMessagesMax((max) => max + ITEMS_PER_PAGE);
  return { messages: data?.messages, hasEarlier: data?.hasMore ?? false, onEarlier };
}

interface TextsProps {
  readonly phone: string;
  readonly chosenSender: string | undefined;
  readonly fallbackSender: string;
}

function Texts({ phone, chosenSender, fallbackSender }: TextsProps) {
  const thread = useMessages(phone, 'sms');
  const { messages } = thread;
  const sender = chosenSender ?? messages?.at(-1)?.sender ?? fallbackSender;
  const isTextOnly = messages?.findLast((message) => message.sender === sender)?.carrier === 'smsc';
  return (
    <Thread {...thread} emptyText="No messages yet. Write the first one as this number.">
      <Composer phone={phone} sender={sender} isTextOnly={isTextOnly} />
    </Thread>
  );
}

function Chat({ phone }: { phone: string }) {
  const thread = useMessages(phone, 'whatsapp');
  const { messages } = thread;
  const sender = messages?.at(-1)?.sender;
  return (
    <Thread {...thread} emptyText="No WhatsApp messages yet. What the product sends to this number appears here.">
      {messages !== undefined && sender !== undefined && (
        <ChatComposer phone={phone} sender={sender} unread={messages.filter(isUnread)} />
      )}
    </Thread>
  );
}

function isUnread({ isMine, status }: ThreadView['messages'][number]): boolean {
  return !isMine && status === 'delivered';
}
