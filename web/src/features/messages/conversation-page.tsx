import { useId, useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { ConversationMessage } from '#contract/histories.js';
import { conversationQuery, conversationsKey } from '../../api/messages.js';
import { messagePath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Fault, TextArea } from '../../ui/field.js';
import { briefDayText, exactTimes, newYorkClock, newYorkDay, newYorkTime, orRemoved } from '../../ui/format.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView, View } from '../../ui/view.js';
import { RefusalNotice } from '../composer/composer-fields.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { QuoteFigures, useQuote } from '../composer/quote-figures.js';
import { QuotedOffer } from '../composer/plain-offer.js';
import { useSending } from '../composer/sending.js';
import styles from './conversation-page.module.css';

export default function ConversationPage() {
  const { number = '' } = useParams();
  return (
    <View title={shownNumber(number)} lead={<Link to={paths.dashboardConversations}>Back to Conversations</Link>}>
      <Conversation key={number} number={number} />
    </View>
  );
}

/** Opens a conversation at its newest message and the reply. */
const showEnd = (page: HTMLElement | null) => page?.scrollIntoView({ block: 'end' });

/** The messages to and from one person, oldest first, and a reply. */
function Conversation({ number }: { number: string }) {
  const query = useInfiniteQuery({ ...conversationQuery(number), refetchOnMount: 'always' });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useRefresh(conversationsKey);
  if (!data)
    return error ? (
      <FailureNotice error={error} what="The conversation could not be loaded." onRetry={() => void refetch()} />
    ) : (
      <p role="status">Loading...</p>
    );
  const messages = data.pages
    .flatMap((page) => page.messages)
    .toReversed()
    .sort((one, other) => one.at.localeCompare(other.at));
  if (messages.length === 0 && !hasNextPage)
    return (
      <EmptyView title="No messages." text="You have exchanged no messages with this number.">
        <ButtonLink to={paths.dashboardSend} state={{ to: number, message: '' }} look="primary">
          Send SMS
        </ButtonLink>
      </EmptyView>
    );
  const optedOutAt = data.pages[0]?.optedOutAt ?? null;
  return (
    <div className={styles.page} ref={showEnd}>
      {error && (
        <FailureNotice error={error} what="The conversation could not be updated." onRetry={() => void refetch()} />
      )}
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading...' : 'Show earlier messages'}
        </Button>
      )}
      <ol className={styles.messages} aria-label="Messages">
        {messages.map((message, place) => (
          <Bubble key={message.messageId} message={message} before={messages[place - 1]} />
        ))}
      </ol>
      {optedOutAt === null ? (
        <Reply number={number} onSent={() => void refetch()} />
      ) : (
        <Notice kind="bad">
          This person opted out on {newYorkTime(optedOutAt)} New York time. You can write again after they text START to
          your number.
        </Notice>
      )}
    </div>
  );
}

interface BubbleProps {
  readonly message: ConversationMessage;
  /** The message above. */
  readonly before: ConversationMessage | undefined;
}

function Bubble({ message: { direction, messageId, at, text, status }, before }: BubbleProps) {
  const day = newYorkDay(new Date(at));
  const isNewDay = before === undefined || newYorkDay(new Date(before.at)) !== day;
  const time = (
    <time dateTime={at} title={exactTimes(at)}>
      {newYorkClock(at)}
    </time>
  );
  return (
    <li className={styles.message} data-direction={direction}>
      {isNewDay && <p className={styles.day}>{briefDayText(day)}</p>}
      <span className="visually-hidden">{direction === 'sent' ? 'You:' : 'They:'}</span>
      <p className={styles.text} dir="auto">
        {orRemoved(text)}
      </p>
      <p className={styles.below}>
        {direction === 'sent' ? (
          <>
            <Link to={messagePath(messageId)}>{time}</Link> <StatusLabel status={status} />
          </>
        ) : (
          <>
            {time} {status !== 'received' && <StatusLabel status={status} />}
          </>
        )}
      </p>
    </li>
  );
}

/** Writes to the person, with the price before. */
function Reply({ number, onSent }: { number: string; onSent: () => void }) {
  const priceId = useId();
  const [text, setText] = useState('');
  const { quote, isOld, error, retry } = useQuote({ to: number, message: text });
  const { send, isSending, refusal } = useSending(({ message }) => {
    setText((typed) => (typed === message ? '' : typed));
    onSent();
  });
  const failure = refusal?.of.message === text ? refusal.failure : undefined;
  const fault = text === '' ? undefined : quote?.faults[0]?.detail;
  return (
    <Card>
      <form
        className={styles.reply}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending && text !== '') send({ to: number, message: text, isLive: true });
        }}
      >
        <TextArea
          label="Reply"
          dir="auto"
          rows={3}
          value={text}
          describedBy={priceId}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        {error && !quote ? (
          <FailureNotice error={error} what="Couldn’t calculate the price." onRetry={retry} />
        ) : (
          <QuoteFigures id={priceId} quote={quote} isOld={isOld || error !== null} isLive>
            {quote && !isOld && <QuotedOffer to={number} message={text} quote={quote} onReplace={setText} />}
          </QuoteFigures>
        )}
        {fault !== undefined && !failure && <Fault>{fault}</Fault>}
        <div>
          <Button type="submit" look="primary" disabled={isSending || text === ''}>
            {isSending ? 'Loading...' : 'Send'}
          </Button>
        </div>
        {failure && <RefusalNotice failure={failure} isBesideField={false} isLive />}
      </form>
    </Card>
  );
}
