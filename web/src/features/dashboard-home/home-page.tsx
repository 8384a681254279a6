import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type SubmitEvent, useState } from 'react';
import { daysInWords, daysLeft, type RecentUse } from '#contract/credit-use.js';
import type { SendingAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import {
  creditsQuery,
  keysQuery,
  resumeSending,
  sendingQuery,
  summaryQuery,
  webhookUrlQuery,
  welcomeQuery,
} from '../../api/account.js';
import { notificationsQuery } from '../../api/notifications.js';
import { paths, spendPath } from '../../paths.js';
import { briefTimestamp } from '../../ui/format.js';
import { credits } from '../../ui/credits.js';
import { Card } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { failureOf } from '../../api/api-failure.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { showToast } from '../../ui/toast.js';
import { AttentionLines } from './attention-lines.js';
import { ActivityCard } from './activity-card.js';
import { Figures } from './figures.js';
import { FirstSteps } from './first-steps.js';
import styles from './home-page.module.css';
import { DAYS_SHOWN, spans, useActivity, useSpend } from './use-activity.js';
import { WebhookUrlCard } from './webhook-url-card.js';

/**
 * Credits and the webhook URL, as specified; then first steps, figures and activity of messages,
 * and links to the documentation.
 */
export default function HomePage() {
  const isKnown = useIsKnown();
  const [span, setSpan] = useState<number>(DAYS_SHOWN);
  return (
    <View title="Home" lead="Your credits and messages. Days are in New York time.">
      <CreditCards />
      <WebhookUrlCard />
      {!isKnown && (
        <p className="visually-hidden" role="status">
          Loading...
        </p>
      )}
      <div className={styles.rest} hidden={!isKnown}>
        <AttentionLines />
        <SuspensionCard />
        <NoFreeCredits />
        <FirstSteps />
        <Figures span={span} choice={<SpanChoice span={span} onChange={setSpan} />} />
        <ActivityCard span={span} />
        <DocsCard />
      </div>
    </View>
  );
}

/** The days of all figures. */
function SpanChoice({ span, onChange }: { span: number; onChange: (span: number) => void }) {
  return (
    <select
      className={styles.choice}
      aria-label="Days shown"
      value={span}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {spans.map((one) => (
        <option key={one} value={one}>
          Last {one} days
        </option>
      ))}
    </select>
  );
}

/**
 * Whether all data is read that decides which cards are shown, and how high: a late card would move
 * the cards below it.
 */
function useIsKnown(): boolean {
  const activity = useActivity(DAYS_SHOWN);
  const spend = useSpend(activity.data?.days);
  const reads = [
    useQuery(notificationsQuery),
    useQuery(creditsQuery),
    useQuery(keysQuery),
    useQuery(webhookUrlQuery),
    useQuery(summaryQuery),
    useQuery(welcomeQuery),
    activity,
    // The spend is not read without the days.
    activity.error === null ? spend : activity,
  ];
  return reads.every(({ data, error }) => data !== undefined || error !== null);
}

const cards = [
  ['Total Credits Purchased', 'purchased', 'See Spend', spendPath],
  ['Total Credits Used', 'used', 'See Spend', spendPath],
  ['Total Credits Balance', 'balance', 'Purchase Credits', paths.dashboardPurchase],
] as const;

/** The account's three credit totals, kept current. */
function CreditCards() {
  const { data, error, refetch } = useQuery(creditsQuery);
  if (error && !data)
    return <FailureNotice error={error} what="Your credits could not be loaded." onRetry={() => void refetch()} />;
  return (
    <>
      <dl className={styles.creditsCards}>
        {cards.map(([title, total, next, to]) => (
          <div key={total} className={styles.card} data-empty={total === 'balance' && data?.balance === 0}>
            <dt>{title}</dt>
            {/* Two elements, so that no text moves: figures stand on the right. */}
            <dd key={data ? 'figure' : 'loading'} className={data ? styles.figure : styles.loading}>
              {data ? data[total].toLocaleString('en-US') : 'Loading...'}
            </dd>
            <dd className={styles.next}>
              {total === 'balance' && data?.balance === 0 ? (
                <ButtonLink look="primary" to={paths.dashboardPurchase}>
                  Purchase Credits
                </ButtonLink>
              ) : (
                <>
                  <Link to={to}>{next}</Link>
                  {total === 'balance' && data?.recentUse && (
                    <Lasts available={data.balance - data.frozen} use={data.recentUse} />
                  )}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {data !== undefined && data.frozen > 0 && <FrozenCard frozen={data.frozen} />}
    </>
  );
}

/** Time that the balance lasts at the rate of the last days. */
function Lasts({ available, use }: { available: number; use: RecentUse }) {
  const days = Math.floor(use.hours / 24);
  return (
    <span className={styles.lasts}>
      Lasts {daysInWords(daysLeft(available, use))}, as the last {days} days go.
    </span>
  );
}

/** Explains why a part of the balance cannot be spent. */
function FrozenCard({ frozen }: { frozen: number }) {
  return (
    <Card>
      <h2 className={styles.title}>{credits(frozen)} frozen</h2>
      <p>
        They stay in your balance, but cannot be spent: the payment that brought them is disputed with your bank and the
        dispute is not decided in your favor yet, or a number is being bought. All other credits can be used.
      </p>
    </Card>
  );
}

/** Explains why a new account has no credits. Hidden once the account has had credits. */
function NoFreeCredits() {
  const { data } = useQuery(creditsQuery);
  const { data: welcome } = useQuery(welcomeQuery);
  if (!welcome?.hadFreeCredits || data?.purchased !== 0) return null;
  return (
    <Card>
      <h2 className={styles.title}>No free credits</h2>
      <p>
        Free credits are given once per person, and you have had them with another account.{' '}
        <Link to={paths.dashboardPurchase}>Purchase credits</Link> or{' '}
        <Link to={paths.dashboardRedeem}>redeem a code</Link> to send messages.
      </p>
    </Card>
  );
}

const links = [
  ['View Full Documentation', paths.docs],
  ['Send an SMS using HTTP POST', paths.sendSms],
  ['Testing the API', paths.testing],
  ['Receiving SMS Replies', paths.receiving],
  ['OTP Verification', paths.otp],
] as const;

function DocsCard() {
  return (
    <Card>
      <h2 className={styles.title}>Documentation</h2>
      <ul className={styles.links}>
        {links.map(([title, to]) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/**
 * Explains a suspension from sending, and lets the customer lift it once. Shows nothing while the
 * account may send.
 */
function SuspensionCard() {
  const { data } = useQuery(sendingQuery);
  if (!data?.suspension) return null;
  const { suspendedAt, recipients, undelivered, mayLift } = data.suspension;
  const hours = limits.suspensionHours;
  return (
    <Card>
      <h2 className={styles.title}>Sending is suspended</h2>
      <p>
        Since <span title={`${suspendedAt} New York time`}>{briefTimestamp(suspendedAt)}</span> your account cannot
        send: of {recipients} recipients within {hours} hours, {undelivered} got none of your messages. That happens
        with old or mistyped lists, and with numbers that do not exist. Messages that were not delivered are refunded as
        always, and replies still reach you.
      </p>
      {mayLift ? <ResumeForm /> : <p>You have lifted a suspension before. Contact support to send again.</p>}
    </Card>
  );
}

function ResumeForm() {
  const client = useQueryClient();
  const [isRead, setRead] = useState(false);
  const resume = useMutation({
    mutationFn: resumeSending,
    onSuccess: (answer: SendingAnswer) => {
      client.setQueryData(sendingQuery.queryKey, answer);
      showToast('You can send again.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    resume.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>Remove numbers that cannot be reached before you send again. You can lift a suspension yourself once.</p>
      <label>
        <input type="checkbox" checked={isRead} onChange={({ target }) => setRead(target.checked)} /> I have read why,
        and removed the numbers that cannot be reached.
      </label>
      <Button type="submit" look="primary" disabled={!isRead || resume.isPending}>
        {resume.isPending ? 'Loading...' : 'Resume sending'}
      </Button>
      {resume.error && <p role="alert">{failureOf(resume.error).message}</p>}
    </form>
  );
}
