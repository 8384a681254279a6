import { type KeyboardEvent, useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { z } from 'zod';
import { mediaView } from '#contract/media.js';
import type { QuoteAnswer } from '#contract/dashboard.js';
import type { MessageStatus, SendSmsAnswer } from '#contract/messages.js';
import { smartText } from '#contract/sms-characters.js';
import { creditsQuery, summaryQuery } from '../../api/account.js';
import { storage } from '../../browser-storage.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { Fault, Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { Flag } from '../../ui/icons.js';
import { Notice } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import { useSession } from '../../dashboard/frame/dashboard-context.js';
import choices from '../composer/choices.module.css';
import { CurlSample } from '../composer/curl-sample.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { adviceFor } from '../composer/refusal-advice.js';
import { RefusalNotice } from '../composer/refusal-notice.js';
import { firstKey } from '../composer/first-key.js';
import { type Composed, MessageComposer, nothingComposed } from '../composer/message-composer.js';
import { QuotedOffer } from '../composer/plain-offer.js';
import { instantOf, type SendTime, timeFault } from '../composer/send-time.js';
import { messagePath, paths } from '../../paths.js';
import { newYorkMoment } from '../../ui/format.js';
import { useFiles } from '../composer/use-files.js';
import { useMessage } from '../composer/message-updates.js';
import { OutcomeLabel } from '../../dashboard/records/reason.js';
import { isOptOut, OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { QuoteFigures, useQuote } from '../composer/quote-figures.js';
import styles from './send.module.css';
import { fieldOf, useSendMessage } from '../composer/send-message.js';

export default function SendPage() {
  return (
    <View title="Send SMS" lead="See what a message costs before it goes out.">
      <Composer />
    </View>
  );
}

/** Content from another view. Not part of the address, which servers log. */
function givenIn(state: unknown) {
  const given = z.object({ media: z.array(mediaView) }).safeParse(state);
  const textOf = (name: string) => {
    const value: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return {
    draft: { to: textOf('to'), message: textOf('message'), from: textOf('from') },
    media: given.data?.media ?? [],
  };
}

interface Draft extends Composed {
  readonly to: string;
  /** Undefined until the person chooses a key. */
  readonly isLive: boolean | undefined;
}

/** Storage key, followed by the account's id. */
const LAST_KEY = 'last-key-';

/** Whether the live key is chosen at first; `remember` stores the user's choice. */
function useFirstKey() {
  const session = useSession();
  const { data: account } = useQuery(creditsQuery);
  const { data: summary } = useQuery(summaryQuery);
  const place = LAST_KEY + session?.id;
  const stored = storage()?.getItem(place);
  const last = stored === 'live' || stored === 'test' ? stored : undefined;
  return {
    balance: account?.balance,
    startsLive:
      account !== undefined &&
      summary !== undefined &&
      firstKey({ balance: account.balance, delivered: summary.delivered, last }) === 'live',
    remember: (isLive: boolean) => storage()?.setItem(place, isLive ? 'live' : 'test'),
  };
}

/** Composes one message with its live price, and sends it. */
function Composer() {
  const figuresId = useId();
  const given = givenIn(useLocation().state);
  const [draft, setDraft] = useState<Draft>({ ...nothingComposed, ...given.draft, isLive: undefined });
  const { balance, startsLive, remember } = useFirstKey();
  const change = (part: Partial<Draft>) => {
    if (part.isLive !== undefined) remember(part.isLive);
    setDraft((before) => ({ ...before, ...part }));
  };
  const files = useFiles(given.media);
  const { to, message, from, time, encoding, reference, asLinks } = draft;
  const isLive = draft.isLive ?? startsLive;
  const [isToLeft, setToLeft] = useState(false);
  const { quote, isOld, error, retry } = useQuote({
    to,
    message: encoding === 'smart' ? smartText(message) : message,
    ...(from !== '' && { from }),
    files: files.files.length,
    mediaFallback: asLinks ? 'link' : 'refuse',
  });
  const { send, reset, isSending, answer, answered, refusal } = useSendMessage((sent) => {
    // Clears a sent message, but not text that was typed since.
    if (!sent.isLive) return;
    if (sameIds(sent.media, files.mediaIds)) files.clear();
    setDraft((now) => (now.message === sent.message ? { ...now, message: '', reference: '' } : now));
  });

  // A rejection concerns the sent message; after an edit, the quote of the new text counts.
  const isRefused =
    refusal?.of.to === to &&
    refusal.of.message === message &&
    refusal.of.from === (from || undefined) &&
    refusal.of.isLive === isLive &&
    refusal.of.encoding === encoding &&
    refusal.of.asLinks === asLinks &&
    sameIds(refusal.of.media, files.mediaIds);
  const failure = isRefused ? refusal.failure : undefined;
  const refusedField = failure && fieldOf(failure, { to, message });
  const faultOf = (field: 'to' | 'message' | 'from' | 'files') =>
    failure && refusedField === field ? failure.detail : quote?.faults.find((fault) => fault.field === field)?.detail;
  const creditsFault = quote?.faults.find(({ field }) => field === 'credits');

  const { faults, forgive, onSubmit } = useForm({
    read: () => {
      const late = timeFault(time, new Date());
      if (late !== undefined) return { faults: { time: late } };
      const sendAt = instantOf(time)?.toISOString();
      return {
        body: {
          to,
          message,
          isLive,
          from: from || undefined,
          sendAt,
          encoding,
          reference: reference.trim() || undefined,
          media: files.mediaIds,
          asLinks,
        },
      };
    },
    send: (body) => {
      if (isSending || files.isUnready) return;
      change({ isLive: body.isLive });
      send(body);
    },
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  const here = { origin: window.location.origin };
  return (
    <div className={styles.columns}>
      <MessageComposer
        composed={draft}
        onChange={(part) => {
          change(part);
          if (part.time) {
            forgive('time');
            reset();
          }
        }}
        faults={{ message: faultOf('message'), from: faultOf('from'), time: faults.time }}
        recipients={
          <div>
            <Field
              label="To"
              aside={
                <Link to={paths.dashboardBulk} state={{ message }}>
                  Several recipients
                </Link>
              }
              type="tel"
              autoComplete="off"
              value={to}
              fault={isToLeft || refusedField === 'to' ? faultOf('to') : undefined}
              onChange={({ target }) => change({ to: target.value })}
              onFocus={() => setToLeft(false)}
              onBlur={() => setToLeft(true)}
              onKeyDown={onKeyDown}
            />
            <RecipientCountry to={to} quote={quote} />
          </div>
        }
        figures={
          error && !quote ? (
            <FailureNotice error={error} what="Couldn’t calculate the price." onRetry={retry} />
          ) : (
            <QuoteFigures id={figuresId} quote={quote} isOld={isOld || error !== null} isLive={isLive}>
              {quote && encoding === 'auto' && !isOld && (
                <QuotedOffer
                  to={to}
                  message={message}
                  quote={quote}
                  hasFiles={files.files.length > 0}
                  onReplace={(plain) => change({ message: plain })}
                />
              )}
            </QuoteFigures>
          )
        }
        describedBy={figuresId}
        files={files}
        filesFault={faultOf('files')}
        offersLinks={quote?.faults.some(({ field }) => field === 'files') ?? false}
        choices={
          <KeyChoice
            isLive={isLive}
            onChange={(live) => {
              change({ isLive: live });
              reset();
            }}
          />
        }
        otherCharacters={quote?.unicodeCharacters ?? []}
        referenceHint="Your own name for the message, such as an order number. Answers and webhooks carry it."
        onKeyDown={onKeyDown}
        onSubmit={onSubmit}
      >
        <div className={styles.act}>
          <Button type="submit" look="primary" disabled={isSending || files.isUnready}>
            {isSending ? 'Loading...' : actOf(isLive, time, quote?.credits)}
          </Button>
          {isLive && !failure && creditsFault !== undefined ? (
            <Fault>
              {creditsFault.detail} <AdviceLink code={creditsFault.code} />
            </Fault>
          ) : balance === 0 ? (
            <p>
              No credits are left for live messages. <AdviceLink code="no_credits" />
            </p>
          ) : (
            <p className={styles.hint}>
              or <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </p>
          )}
        </div>
      </MessageComposer>
      {/* The answer is beside the form where there is room, so that it shows without scrolling. */}
      <div className={styles.side}>
        {failure && (
          <RefusalNotice failure={failure} isBesideField={refusedField !== undefined} isLive={isLive} to={to} />
        )}
        {answer && answered && answer.test && (
          <TestedNotice
            answer={answer}
            onSendForReal={() => {
              change({ isLive: true });
              send({ ...answered, isLive: true });
            }}
          />
        )}
        {answer && !answer.test && <SentNotice key={answer.message_id} answer={answer} />}
        {/* Shows the sent message until another message is written. */}
        {answered && message === '' && files.files.length === 0 ? (
          <CurlSample title="Curl: the message that was sent" {...answered} isTest={!answered.isLive} {...here} />
        ) : (
          <CurlSample
            title="Curl: this message"
            to={to}
            message={message}
            from={from}
            sendAt={instantOf(time)?.toISOString()}
            encoding={encoding}
            reference={reference}
            media={files.mediaIds}
            asLinks={asLinks}
            isTest={!isLive}
            {...here}
          />
        )}
      </div>
    </div>
  );
}

/** Link to the view that solves a fault of the account. */
function AdviceLink({ code }: { code: string }) {
  const link = adviceFor({ code })?.link;
  return link && <Link to={link.to}>{link.title}</Link>;
}

/** The button's action, with its price where that is known. */
function actOf(isLive: boolean, time: SendTime, price: number | null | undefined): string {
  if (!isLive) return 'Send test';
  const act = time.kind === 'now' ? 'Send' : 'Schedule';
  return price ? `${act} for ${credits(price)}` : act;
}

/** The country of the number typed so far. */
function RecipientCountry({ to, quote }: { to: string; quote: QuoteAnswer | undefined }) {
  return (
    <p className={styles.country} aria-live="polite">
      {quote?.country && quote.iso2 && quote.creditsPerSms ? (
        <>
          <Flag iso2={quote.iso2} />
          <span>
            {quote.country}: {quote.active ? rateOf(quote, quote.creditsPerSms) : 'not active yet'}
          </span>
          {quote.faults.some(({ code }) => isOptOut(code)) && <OptOutLink number={to} />}
        </>
      ) : (
        'Without +, it is a US number.'
      )}
    </p>
  );
}

function rateOf({ kind, credits: price }: QuoteAnswer, creditsPerSms: number): string {
  return kind === 'mms' && price ? `${credits(price)} per MMS` : `${credits(creditsPerSms)} per segment`;
}

function sameIds(some: readonly string[] = [], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, place) => id === others[place]);
}

const keyChoices = [
  [false, 'Test key'],
  [true, 'Live key'],
] as const;

interface KeyChoiceProps {
  readonly isLive: boolean;
  readonly onChange: (isLive: boolean) => void;
}

/** Chooses between the test key, which sends and charges nothing, and the live key. */
function KeyChoice({ isLive, onChange }: KeyChoiceProps) {
  return (
    <fieldset className={choices.choice}>
      <legend>Send with</legend>
      {keyChoices.map(([live, name]) => (
        <label key={name} className={choices.option}>
          <input type="radio" name="key" checked={isLive === live} onChange={() => onChange(live)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

interface TestedNoticeProps {
  readonly answer: SendSmsAnswer;
  /** Sends the tested message with the live key. */
  readonly onSendForReal: () => void;
}

/** The answer to a message with the test key. */
function TestedNotice({ answer, onSendForReal }: TestedNoticeProps) {
  return (
    <Notice kind="good" role="status">
      <div className={styles.sent}>
        <p>The test passed. Nothing was sent, and you were not charged.</p>
        <p>
          {answer.kind === 'mms'
            ? `The message would be an MMS and cost ${credits(answer.credits)}.`
            : `The message would have ${segments(answer.segments)} and cost ${credits(answer.credits)}.`}
        </p>
        <Button look="primary" onClick={onSendForReal}>
          Send it for real for {credits(answer.credits)}
        </Button>
      </div>
    </Notice>
  );
}

/** The answer to a message with the live key, and the message's later status. */
function SentNotice({ answer }: { answer: SendSmsAnswer }) {
  const { message_id: id, send_at: sendAt } = answer;
  const { data } = useMessage(id);
  const status = data?.status ?? (sendAt ? 'scheduled' : 'queued');
  const isLost = status === 'failed' || status === 'undelivered';
  return (
    <Notice kind={isLost ? 'bad' : 'good'} role="status">
      <div className={styles.sent}>
        <p>{sentWords(answer, status, data?.refunded ?? 0)}</p>
        <Link className={styles.id} to={messagePath(id)}>
          {id}
        </Link>
        <div className={styles.status}>
          <OutcomeLabel status={status} reason={data?.reason ?? null} />
        </div>
      </div>
    </Notice>
  );
}

/** Current state of a message, and its cost. */
function sentWords(answer: SendSmsAnswer, status: MessageStatus, refunded: number): string {
  const { send_at: sendAt, segments: count, credits: price, kind } = answer;
  const back = refunded > 0 ? ` You got ${credits(refunded)} back.` : '';
  const cost = `${kind === 'mms' ? 'MMS' : segments(count)}, ${credits(price)}`;
  switch (status) {
    case 'undelivered':
    case 'failed':
      return `The message was not delivered.${back}`;
    case 'canceled':
      return `The message was canceled before it left.${back}`;
    case 'delivered':
      return `The message was delivered: ${cost}.`;
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
      return status === 'scheduled' && sendAt
        ? `The message leaves on ${newYorkMoment(sendAt)} New York time: ${cost}.`
        : `The message is on its way: ${cost}.`;
  }
}

function segments(count: number): string {
  return count === 1 ? '1 segment' : `${count} segments`;
}
