import { useState } from 'react';
import type { ActivityDay } from '#contract/dashboard.js';
import { FailureNotice } from '../../../../dashboard/ui/failure-notice.js';
import { Card } from '../../../../ui/card.js';
import '../../../../dashboard/status-colors.css';
import styles from './activity-card.module.css';
import { ActivityChart } from './activity-chart.js';
import { ActivityTable } from './activity-table.js';
import { dayStates, sumOf, totalOf } from './day-states.js';
import { NoMessages } from './no-messages.js';
import { useActivity } from './use-activity.js';

const spans = [7, 30, 90] as const;

/** What became of the account's messages, day by day. */
export function ActivityCard() {
  const [span, setSpan] = useState<number>(30);
  const [isTable, setTable] = useState(false);
  const { data, error, refetch } = useActivity(span);
  const days = data?.days;
  const isEmpty = days?.every((day) => totalOf(day) === 0) ?? false;
  return (
    <Card>
      <section className={styles.activity} aria-labelledby="activity">
        <div className={styles.top}>
          <h2 id="activity" className={styles.title}>
            Messages by day
          </h2>
          <div className={styles.choices}>
            <button
              type="button"
              className={styles.choice}
              aria-pressed={isTable}
              disabled={!days || isEmpty}
              onClick={() => setTable(!isTable)}
            >
              Show as table
            </button>
            <select
              className={styles.choice}
              aria-label="Days shown"
              value={span}
              onChange={({ target }) => setSpan(Number(target.value))}
            >
              {spans.map((one) => (
                <option key={one} value={one}>
                  Last {one} days
                </option>
              ))}
            </select>
          </div>
        </div>
        {error && !days ? (
          <FailureNotice error={error} what="Your messages could not be counted." onRetry={() => void refetch()} />
        ) : !days ? (
          <p className={styles.loading} role="status">
            Loading...
          </p>
        ) : isEmpty ? (
          <NoMessages days={days.length} />
        ) : (
          <>
            <Legend days={days} />
            {isTable ? <ActivityTable days={days} /> : <ActivityChart days={days} />}
          </>
        )}
      </section>
    </Card>
  );
}

/** The colours, their words and how many of each there are. */
function Legend({ days }: { days: readonly ActivityDay[] }) {
  const sum = sumOf(days);
  return (
    <ul className={styles.legend}>
      {dayStates.map(([state, title]) => (
        <li key={state}>
          <span className={`${styles.dot} ${styles[state]}`} aria-hidden="true" />
          {title} <strong>{sum[state].toLocaleString('en-US')}</strong>
        </li>
      ))}
    </ul>
  );
}
