import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import type { ConversationAnswer, ConversationMessage } from '#contract/histories.js';
import { failureOf } from '../../api/api-failure.js';
import { conversationQuery, conversationsKey, markAnswered, unansweredKey } from '../../api/messages.js';
import { messagePath, optOutsPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Fault } from '../../ui/field.js';
import {
  briefDayText,
  exactTimes,
  isTexted,
  newYorkClock,
  newYorkDay,
  orRemoved,
  recipientOf,
} from '../../ui/format.js';
import { useFieldFocus } from '../../ui/hooks.js';
import { Flag } from '../../ui/icons.js';
import { IconCheck } from '../../ui/line-icons.js';
import { Menu } from '../../ui/menu.js';
import { Moment } from '../../ui/moment.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { countryOf, shownNumber } from '../../ui/phone-numbers.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { EmptyView } from '../../ui/view.js';
import { RefusalNotice } from '../composer/refusal-notice.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { StatusLabel } from '../../dashboard/records/status-label.js';
import { QuoteFigures, useQuote } from '../composer/quote-figures.js';
import { QuotedOffer } from '../composer/plain-offer.js';
import { useDroppedFiles } from '../composer/dropped-files.js';
import { FileField } from '../composer/file-field.js';
import { useFiles } from '../composer/use-files.js';
import { useSendMessage } from '../composer/send-message.js';
import { MessageMedia } from './message-media.js';
import styles from './conversation-page.module.css';

export default function ConversationPage() {
  const { number = '' } = useParams();
  return <Conversation key={number} number={number} />;
}

/** Leads back to the list with its tab and search. */
function BackToList() {
  const { state } = useLocation() as { state: unknown };
  const search = typeof state === 'object' && state && 'search' in state ? String(state.search) : '';
  return <Link to={`${paths.dashboardConversations}${search}`}>Back to Conversations</Link>;
}

/** The bar, the messages to and from one person, oldest first, and the reply. */
function Conversation({ number }: { number: string }) {
  const { data } = useInfiniteQuery({ ...conversationQuery(number), refetchOnMount: 'always' });
  useRefresh(conversationsKey);
  const newest = data?.pages[0];
  return (
    <div className={styles.page}>
      <p>
        <BackToList />
      </p>
      <Bar number={number} newest={newest} />
      <Thread number={number} />
    </div>
  );
}

interface BarProps {
  readonly number: string;
  /** The newest messages, once they are loaded. */
  readonly newest: ConversationAnswer | undefined;
}

/** The recipient, the sender, and any opt-out; stays in sight. */
function Bar({ number, newest }: BarProps) {
  const country = countryOf(number);
  const sender = newest?.messages.find((one) => one.sender !== null)?.sender ?? null;
  const lastReply = newest?.messages.find(({ direction }) => direction === 'received');
  const optedOutAt = newest?.optedOutAt ?? null;
  const navigate = useNavigate();
  const { address } = recipientOf(number);
  const isEmail = address.includes('@');
  return (
    <header className={styles.bar}>
      {country !== undefined && <Flag iso2={country} />}
      <div className={styles.who}>
        <h1 className={styles.number}>
          <PhoneNumber number={number} />
        </h1>
        {(sender !== null || optedOutAt !== null) && (
          <p className={styles.from}>
            {sender !== null && <span>From {shownNumber(sender)}</span>}
            {optedOutAt !== null && (
              <span className={styles.out} title={exactTimes(optedOutAt)}>
                Opted out
              </span>
            )}
          </p>
        )}
      </div>
      {newest?.isUnanswered && lastReply && <MarkAnswered number={number} messageId={lastReply.messageId} />}
      <Menu
        label={`More about ${shownNumber(number)}`}
        items={[
          { title: isEmail ? 'Copy address' : 'Copy number', onChoose: () => void copyNumber(address) },
          ...(isTexted(number)
            ? [
                {
                  title: 'Write with all options',
                  onChoose: () => void navigate(paths.dashboardSend, { state: { to: number, message: '' } }),
                },
              ]
            : []),
          ...(isEmail ? [] : [{ title: 'See opt-outs', onChoose: () => void navigate(optOutsPath(address)) }]),
        ]}
      />
    </header>
  );
}

/** Copies a number in E.164, as calls of the API take it, or an address of email. */
async function copyNumber(number: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(number);
    showToast(`${number} copied to clipboard!`);
  } catch {
    showToast(`Your browser does not allow copying here. It is ${number}.`);
  }
}

function Thread({ number }: { number: string }) {
  const query = useInfiniteQuery({ ...conversationQuery(number), refetchOnMount: false });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
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
        {isTexted(number) && (
          <ButtonLink to={paths.dashboardSend} state={{ to: number, message: '' }} look="primary">
            Send SMS
          </ButtonLink>
        )}
      </EmptyView>
    );
  const optedOutAt = data.pages[0]?.optedOutAt ?? null;
  return (
    <>
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
          <Bubble
            key={message.messageId}
            message={message}
            before={messages[place - 1]}
            isNewNumber={numberChangesAt(messages, place)}
          />
        ))}
      </ol>
      <div className={styles.foot}>
        {!isTexted(number) ? (
          <Notice kind="info">Only one-time passwords go this way, so a message cannot be sent here.</Notice>
        ) : optedOutAt === null ? (
          <Reply number={number} onSent={() => void refetch()} />
        ) : (
          <Notice kind="bad">
            This person opted out on <Moment at={optedOutAt} />, so a reply cannot be sent. You can write again after
            they text START to your number. <OptOutLink number={number} />
          </Notice>
        )}
      </div>
      <End of={messages.at(-1)?.messageId} />
    </>
  );
}

/** Distance from the foot of the page within which the reader counts as at the end. */
const AT_END_PX = 160;

/**
 * The end of the page, which is scrolled into sight when the conversation opens, and when a message
 * comes while the reader is at the end.
 */
function End({ of: lastId }: { of: string | undefined }) {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      isAtEnd.current = scrollHeight - clientHeight - window.scrollY < AT_END_PX;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const show = useCallback((end: HTMLElement | null) => {
    if (isAtEnd.current) end?.scrollIntoView({ block: 'end' });
  }, []);
  return <div key={lastId} ref={show} />;
}

/** Whether a message's sender differs from the previous sender, in a conversation with several. */
function numberChangesAt(messages: readonly ConversationMessage[], place: number): boolean {
  const sender = messages[place]?.sender ?? null;
  const isOther = (one: ConversationMessage) => one.sender !== null && one.sender !== sender;
  if (sender === null || !messages.some(isOther)) return false;
  return messages.slice(0, place).findLast((one) => one.sender !== null)?.sender !== sender;
}

interface BubbleProps {
  readonly message: ConversationMessage;
  /** The message above. */
  readonly before: ConversationMessage | undefined;
  readonly isNewNumber: boolean;
}

function Bubble({ message, before, isNewNumber }: BubbleProps) {
  const { direction, messageId, at, text, isTextRemoved, sender, status, media } = message;
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
      {(text !== '' || media.length === 0) && (
        <p className={styles.text} dir="auto">
          {orRemoved(text, isTextRemoved)}
        </p>
      )}
      <MessageMedia media={media} />
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
        {isNewNumber && sender !== null && (
          <span>
            {direction === 'sent' ? 'from' : 'to'} {shownNumber(sender)}
          </span>
        )}
      </p>
    </li>
  );
}

interface ReplyProps {
  readonly number: string;
  readonly onSent: () => void;
}

/** Length from which the counter is shown. */
const COUNTED_FROM = 120;

/** Makes a text field as high as its text. */
function fit(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
}

/** Form for a reply: a line that grows, and the price. */
function Reply({ number, onSent }: ReplyProps) {
  const priceId = useId();
  const form = useFieldFocus('textarea');
  const [text, setText] = useState('');
  const [asLinks, setAsLinks] = useState(false);
  const files = useFiles();
  const { target } = useDroppedFiles(files.add);
  const { quote, isOld, error, retry } = useQuote({
    to: number,
    message: text,
    files: files.files.length,
    mediaFallback: asLinks ? 'link' : 'refuse',
  });
  const { send, isSending, refusal } = useSendMessage(({ message }) => {
    setText((typed) => (typed === message ? '' : typed));
    files.clear();
    onSent();
  });
  const failure = refusal?.of.message === text ? refusal.failure : undefined;
  const isEmpty = text === '' && files.files.length === 0;
  const fault = isEmpty ? undefined : quote?.faults.find(({ field }) => field !== 'files')?.detail;
  const filesFault = quote?.faults.find(({ field }) => field === 'files')?.detail;
  const isBlocked = isSending || isEmpty || files.isUnready;
  // A short text of one credit needs no figures.
  const hasFigures =
    !isEmpty &&
    (text.length >= COUNTED_FROM ||
      files.files.length > 0 ||
      (quote !== undefined && (quote.unicodeCharacters.length > 0 || (quote.credits ?? 0) > 1)));
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (field.current?.value === text) fit(field.current);
  }, [text]);
  return (
    <form
      ref={form}
      className={styles.reply}
      noValidate
      {...target}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked) send({ to: number, message: text, isLive: true, media: files.mediaIds, asLinks });
      }}
    >
      <FileField
        files={files}
        fault={filesFault}
        offersLinks={filesFault !== undefined}
        asLinks={asLinks}
        onLinks={setAsLinks}
        isShort
      />
      <textarea
        ref={field}
        className={styles.field}
        aria-label="Reply"
        placeholder="Reply"
        aria-describedby={hasFigures ? priceId : undefined}
        dir="auto"
        rows={1}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <Button type="submit" look="primary" disabled={isBlocked}>
        {isSending ? 'Loading...' : 'Send'}
      </Button>
      <div className={styles.beneath}>
        {error && !quote ? (
          <FailureNotice error={error} what="Couldn’t calculate the price." onRetry={retry} />
        ) : (
          hasFigures && (
            <QuoteFigures id={priceId} quote={quote} isOld={isOld || error !== null} isLive isShort>
              {quote && !isOld && (
                <QuotedOffer
                  to={number}
                  message={text}
                  quote={quote}
                  hasFiles={files.files.length > 0}
                  onReplace={setText}
                />
              )}
            </QuoteFigures>
          )
        )}
        {fault !== undefined && !failure && <Fault>{fault}</Fault>}
        {failure && <RefusalNotice failure={failure} isBesideField={false} isLive to={number} />}
      </div>
    </form>
  );
}

/** Button that marks a reply as answered, if it needs no answer. */
function MarkAnswered(reply: { number: string; messageId: string }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: markAnswered,
    onSuccess: async (left) => {
      client.setQueryData(unansweredKey, left);
      await client.invalidateQueries({ queryKey: conversationsKey });
    },
    onError: (error) => showToast(failureOf(error).message),
  });
  return (
    <Button disabled={isPending} onClick={() => mutate(reply)} aria-label="Mark as answered" title="Mark as answered">
      <IconCheck size={18} aria-hidden="true" />
      <span className={styles.mark}>{isPending ? 'Loading...' : 'Mark as answered'}</span>
    </Button>
  );
}
