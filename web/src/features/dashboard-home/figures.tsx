import type { ReactNode } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ActivityDay } from '#contract/dashboard.js';
import { regions } from '#contract/regions.js';
import { summaryQuery } from '../../api/account.js';
import { deliverabilityQuery } from '../../api/messages.js';
import { paths, spendPath } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Flag } from '../../ui/icons.js';
import { Card } from '../../ui/surface.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { dayStates, sumOf } from './activity-days.js';
import styles from './figures.module.css';
import { useActivity, useSpend } from './use-activity.js';

const REASONS_SHOWN = 4;
const COUNTRIES_SHOWN = 5;

interface FiguresProps {
  /** Days of all figures, up to today. */
  readonly span: number;
  /** Choice of the days, which applies to the chart too. */
  readonly choice: ReactNode;
}

/** Delivered share, failures, and credits by country. Hidden before the first message. */
export function Figures({ span, choice }: FiguresProps) {
  const { data: activity } = useActivity(span);
  const { data: summary, error, refetch } = useQuery({ ...summaryQuery, refetchOnMount: 'always' });
  if (error && !summary)
    return <FailureNotice error={error} what="Your figures could not be loaded." onRetry={() => void refetch()} />;
  if (!activity || !summary || summary.messages === 0) return null;
  const { days } = activity;
  const { delivered, undelivered, failed } = sumOf(days);
  const finished = delivered + undelivered + failed;
  return (
    <section className={styles.period} aria-labelledby="figures">
      <div className={styles.top}>
        <h2 id="figures" className={styles.heading}>
          Figures
        </h2>
        {choice}
      </div>
      <div className={styles.figures}>
        <Card>
          <h3 className={styles.title}>Delivery rate</h3>
          <p className={styles.figure}>{finished === 0 ? '–' : `${((100 * delivered) / finished).toFixed(1)}%`}</p>
          <p className={styles.note}>
            {finished === 0
              ? `No message from the last ${span} days is final yet.`
              : `${delivered.toLocaleString('en-US')} of ${finished.toLocaleString('en-US')} ` +
                `${finished === 1 ? 'message' : 'messages'} in ${span} days`}
          </p>
          <Outcomes days={days} />
        </Card>
        <Failures days={days} />
        <Spend days={days} />
      </div>
    </section>
  );
}

/** Outcomes of the messages, each with a link to its messages. */
function Outcomes({ days }: { days: readonly ActivityDay[] }) {
  const sum = sumOf(days);
  const from = days[0]?.day ?? '';
  const states = dayStates.filter(([state]) => sum[state] > 0);
  return (
    <ul className={styles.countries} aria-label={`Messages of ${days.length} days`}>
      {states.map(([status, title]) => (
        <li key={status}>
          <Link to={`${paths.dashboardMessages}?${new URLSearchParams({ status, from }).toString()}`}>{title}</Link>
          <span>{sum[status].toLocaleString('en-US')}</span>
        </li>
      ))}
    </ul>
  );
}

/** Number of undelivered messages, and the most frequent reasons. */
function Failures({ days }: { days: readonly ActivityDay[] }) {
  const { undelivered, failed } = sumOf(days);
  const range = { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' };
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
      <h3 className={styles.title}>Failures</h3>
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

/** Spent credits by the credit ledger, and the countries with the highest cost. */
function Spend({ days }: { days: readonly ActivityDay[] }) {
  const { data, error, refetch } = useSpend(days);
  const rest = (data?.countries ?? []).slice(COUNTRIES_SHOWN);
  return (
    <Card>
      <h3 className={styles.title}>Spend by country</h3>
      {error && !data ? (
        <FailureNotice error={error} what="Your spend could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <>
          <p className={styles.figure}>{data ? shownCredits(data.spent) : '–'}</p>
          <p className={styles.note}>in {days.length} days, after refunds</p>
          <ul className={styles.countries} aria-label="Countries">
            {data?.countries.slice(0, COUNTRIES_SHOWN).map(({ country, spent }) => (
              <li key={country}>
                <span className={styles.country}>
                  {country === null ? (
                    'Replies and others'
                  ) : (
                    <>
                      {names.has(country) && <Flag iso2={country} />}
                      {names.get(country) ?? country}
                    </>
                  )}
                </span>
                <span>{shownCredits(spent)}</span>
              </li>
            ))}
            {rest.length > 0 && (
              <li>
                <span>{rest.length === 1 ? '1 other country' : `${rest.length} other countries`}</span>
                <span>{shownCredits(rest.reduce((sum, { spent }) => sum + spent, 0))}</span>
              </li>
            )}
          </ul>
          <p className={styles.note}>
            <Link to={spendPath}>See all spend</Link>
          </p>
        </>
      )}
    </Card>
  );
}

/** Formats spent credits, which are negative when refunds are for charges before these days. */
const shownCredits = (spent: number) => (spent < 0 ? `−${credits(-spent)}` : credits(spent));
