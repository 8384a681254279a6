import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ActivityDay, SummaryAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { summaryQuery } from '../../api/account.js';
import { deliverabilityQuery } from '../../api/messages.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Flag } from '../../ui/icons.js';
import { Card } from '../../ui/surface.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { dayStates, sumOf } from './activity-days.js';
import styles from './figures.module.css';
import { DAYS_SHOWN, useActivity } from './use-activity.js';

const failureSpans = [7, DAYS_SHOWN] as const;
const REASONS_SHOWN = 4;
const COUNTRIES_SHOWN = 5;

/** Share delivered, recent failures, and credits by country. Nothing before the first message. */
export function Figures() {
  const { data: activity } = useActivity(DAYS_SHOWN);
  const { data: summary, error, refetch } = useQuery({ ...summaryQuery, refetchOnMount: 'always' });
  if (error && !summary)
    return <FailureNotice error={error} what="Your figures could not be loaded." onRetry={() => void refetch()} />;
  if (!activity || !summary || summary.messages === 0) return null;
  const { delivered, undelivered, failed } = sumOf(activity.days);
  const finished = delivered + undelivered + failed;
  return (
    <div className={styles.figures}>
      <Card>
        <h2 className={styles.title}>Delivery rate</h2>
        <p className={styles.figure}>{finished === 0 ? '–' : `${((100 * delivered) / finished).toFixed(1)}%`}</p>
        <p className={styles.note}>
          {finished === 0
            ? `No message from the last ${DAYS_SHOWN} days is final yet.`
            : `${delivered.toLocaleString('en-US')} of ${finished.toLocaleString('en-US')} ` +
              `${finished === 1 ? 'message' : 'messages'} in ${DAYS_SHOWN} days`}
        </p>
        <Outcomes days={activity.days} />
      </Card>
      <Failures days={activity.days} />
      <Spend summary={summary} />
    </div>
  );
}

/** What became of the messages, each with the messages themselves. */
function Outcomes({ days }: { days: readonly ActivityDay[] }) {
  const sum = sumOf(days);
  const from = days[0]?.day ?? '';
  const states = dayStates.filter(([state]) => sum[state] > 0);
  return (
    <ul className={styles.countries} aria-label={`Messages of ${DAYS_SHOWN} days`}>
      {states.map(([status, title]) => (
        <li key={status}>
          <Link to={`${paths.dashboardMessages}?${new URLSearchParams({ status, from }).toString()}`}>{title}</Link>
          <span>{sum[status].toLocaleString('en-US')}</span>
        </li>
      ))}
    </ul>
  );
}

/** How many messages were not delivered lately, and the most frequent reasons why. */
function Failures({ days }: { days: readonly ActivityDay[] }) {
  const [span, setSpan] = useState<number>(failureSpans[0]);
  const shown = days.slice(-span);
  const { undelivered, failed } = sumOf(shown);
  const range = { from: shown[0]?.day ?? '', to: shown.at(-1)?.day ?? '' };
  const { data, error, refetch } = useQuery({
    ...deliverabilityQuery(range),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    enabled: undelivered + failed > 0,
  });
  const others = (data?.reasons ?? []).slice(REASONS_SHOWN).reduce((sum, { messages }) => sum + messages, 0);
  const messagesOf = (filter: object) =>
    `${paths.dashboardMessages}?${new URLSearchParams({ ...filter, from: range.from }).toString()}`;
  const allFigures = `${paths.dashboardDeliverability}?${new URLSearchParams(range).toString()}`;
  return (
    <Card>
      <div className={styles.top}>
        <h2 className={styles.title}>Failures</h2>
        <select
          className={styles.choice}
          aria-label="Days of failures"
          value={span}
          onChange={({ target }) => setSpan(Number(target.value))}
        >
          {failureSpans.map((one) => (
            <option key={one} value={one}>
              Last {one} days
            </option>
          ))}
        </select>
      </div>
      <p className={styles.figure}>{(undelivered + failed).toLocaleString('en-US')}</p>
      {undelivered + failed === 0 ? (
        <p className={styles.note}>No failures.</p>
      ) : (
        <>
          <p className={styles.links}>
            {undelivered > 0 && (
              <Link to={messagesOf({ status: 'undelivered' })}>{undelivered.toLocaleString('en-US')} undelivered</Link>
            )}
            {undelivered > 0 && failed > 0 && ', '}
            {failed > 0 && <Link to={messagesOf({ status: 'failed' })}>{failed.toLocaleString('en-US')} failed</Link>}
          </p>
          {error && !data ? (
            <FailureNotice error={error} what="The reasons could not be loaded." onRetry={() => void refetch()} />
          ) : (
            <ul className={styles.countries} aria-label="Reasons">
              {data?.reasons.slice(0, REASONS_SHOWN).map(({ code, text, messages }) => (
                <li key={code}>
                  <Link to={messagesOf({ reason: code })}>{text}</Link>
                  <span>{messages.toLocaleString('en-US')}</span>
                </li>
              ))}
              {others > 0 && (
                <li>
                  <Link to={allFigures}>Other reasons</Link>
                  <span>{others.toLocaleString('en-US')}</span>
                </li>
              )}
            </ul>
          )}
          <p className={styles.note}>
            <Link to={allFigures}>See all figures</Link>
          </p>
        </>
      )}
    </Card>
  );
}

const names = new Map(regions.map(({ iso2, country }) => [iso2, country]));

/** The countries that cost most, after refunds. */
function Spend({ summary: { messages, countries } }: { summary: SummaryAnswer }) {
  const rest = countries.slice(COUNTRIES_SHOWN);
  return (
    <Card>
      <h2 className={styles.title}>Spend by country</h2>
      <ul className={styles.countries}>
        {countries.slice(0, COUNTRIES_SHOWN).map(({ country, credits: spent }) => (
          <li key={country}>
            <span className={styles.country}>
              {names.has(country) && <Flag iso2={country} />}
              {names.get(country) ?? country}
            </span>
            <span>{credits(spent)}</span>
          </li>
        ))}
        {rest.length > 0 && (
          <li>
            <span>{rest.length === 1 ? '1 other country' : `${rest.length} other countries`}</span>
            <span>{credits(rest.reduce((sum, { credits: spent }) => sum + spent, 0))}</span>
          </li>
        )}
      </ul>
      <p className={styles.note}>
        {messages < limits.summaryMessagesMax
          ? 'All messages, after refunds'
          : `The last ${limits.summaryMessagesMax.toLocaleString('en-US')} messages, after refunds`}
      </p>
    </Card>
  );
}
