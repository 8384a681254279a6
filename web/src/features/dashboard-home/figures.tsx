import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { SummaryAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { summaryQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Flag } from '../../ui/icons.js';
import { Card } from '../../ui/surface.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { sumOf } from './activity-days.js';
import styles from './figures.module.css';
import { DAYS_SHOWN, useActivity } from './use-activity.js';

const FAILURE_DAYS = 7;
const COUNTRIES_SHOWN = 5;

/** Share delivered, recent failures, and credits by country. Nothing before the first message. */
export function Figures() {
  const { data: activity } = useActivity(DAYS_SHOWN);
  const { data: summary, error, refetch } = useQuery({ ...summaryQuery, refetchOnMount: 'always' });
  if (error && !summary)
    return <FailureNotice error={error} what="Your figures could not be loaded." onRetry={() => void refetch()} />;
  if (!activity || !summary || summary.messages === 0) return null;
  const { delivered, undelivered, failed } = sumOf(activity.days);
  const recent = sumOf(activity.days.slice(-FAILURE_DAYS));
  const finished = delivered + undelivered + failed;
  return (
    <div className={styles.figures}>
      <Card>
        <h2 className={styles.title}>Delivery rate</h2>
        <p className={styles.figure}>{finished === 0 ? '–' : `${((100 * delivered) / finished).toFixed(1)}%`}</p>
        <p className={styles.note}>
          {finished === 0
            ? `No message from the last ${DAYS_SHOWN} days is final yet.`
            : `${delivered.toLocaleString('en-US')} of ${finished.toLocaleString('en-US')} ${finished === 1 ? 'message' : 'messages'} in ` +
              `${DAYS_SHOWN} days`}
        </p>
      </Card>
      <Card>
        <h2 className={styles.title}>Failures, last {FAILURE_DAYS} days</h2>
        <p className={styles.figure}>{(recent.undelivered + recent.failed).toLocaleString('en-US')}</p>
        <p className={styles.note}>
          {recent.undelivered + recent.failed === 0 && 'No failures.'}
          {recent.undelivered > 0 && (
            <Link to={`${paths.dashboardMessages}?status=undelivered`}>
              {recent.undelivered.toLocaleString('en-US')} undelivered
            </Link>
          )}{' '}
          {recent.failed > 0 && (
            <Link to={`${paths.dashboardMessages}?status=failed`}>{recent.failed.toLocaleString('en-US')} failed</Link>
          )}
        </p>
      </Card>
      <Spend summary={summary} />
    </div>
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
