import { type PointerEvent, useState } from 'react';
import { Link } from 'react-router';
import type { ActivityDay } from '#contract/dashboard.js';
import { paths } from '../../paths.js';
import { dayText, shortDayText } from '../../ui/format.js';
import { Card, Table } from '../../ui/surface.js';
import { CurlSample } from '../composer/curl-sample.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './activity-card.module.css';
import { axisMax, columnOf, dayInWords, dayStates, fromFirstMessage, sumOf, totalOf } from './activity-days.js';
import activityChartStyles from './activity-chart.module.css';
import { useActivity, useFreshActivity } from './use-activity.js';

/** Messages by day and status, as a chart or a table. `span` is the number of days. */
export function ActivityCard({ span }: { span: number }) {
  const [isTable, setTable] = useState(false);
  useFreshActivity();
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
          <button
            type="button"
            className={styles.choice}
            aria-pressed={isTable}
            disabled={!days || isEmpty}
            onClick={() => setTable(!isTable)}
          >
            Show as table
          </button>
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
            {isTable ? <ActivityTable days={days} /> : <ActivitySince days={days} />}
          </>
        )}
      </section>
    </Card>
  );
}

/** The statuses with their colors and totals. */
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

/** The chart's numbers as a table: days with messages, newest first. */
function ActivityTable({ days }: { days: readonly ActivityDay[] }) {
  return (
    <div className={styles.table}>
      <Table label="Messages by day">
        <thead>
          <tr>
            <th scope="col">Date</th>
            {dayStates.map(([state, title]) => (
              <th key={state} scope="col" data-number>
                {title}
              </th>
            ))}
            <th scope="col" data-number>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter((day) => totalOf(day) > 0)
            .toReversed()
            .map((day) => (
              <tr key={day.day}>
                <th scope="row">{dayText(day.day)}</th>
                {dayStates.map(([state]) => (
                  <td key={state} data-number>
                    {day[state].toLocaleString('en-US')}
                  </td>
                ))}
                <td data-number>{totalOf(day).toLocaleString('en-US')}</td>
              </tr>
            ))}
        </tbody>
      </Table>
    </div>
  );
}

/** The chart from the first message on, and a note of the earlier days. */
function ActivitySince({ days }: { days: readonly ActivityDay[] }) {
  const shown = fromFirstMessage(days);
  const earlier = days.length - shown.length;
  return (
    <>
      <ActivityChart days={shown} />
      {earlier > 0 && (
        <p className={styles.note}>
          The chart starts on {shortDayText(shown[0]?.day ?? '')}.{' '}
          {earlier === 1 ? 'The day before has' : `The ${earlier} days before have`} no messages.
        </p>
      )}
    </>
  );
}

/** Shown before the first message: explains the card and the first step. */
function NoMessages({ days }: { days: number }) {
  return (
    <div className={styles.none}>
      <Drawing />
      <div className={styles.words}>
        <p className={styles.emptyTitle}>No messages in the last {days} days.</p>
        <p>
          Send one from your terminal, or <Link to={paths.dashboardSend}>write it here</Link>, and watch it get
          delivered. Replace the number with your own; the copied command contains your API key.
        </p>
      </div>
      <div className={styles.code}>
        <CurlSample />
      </div>
    </div>
  );
}

/** Three columns; the last is a talking stack of pennies. */
function Drawing() {
  return (
    <svg className={styles.drawing} width="120" height="96" viewBox="0 0 120 96" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path className={styles.ground} d="M6 88h108" />
        <path className={styles.ground} d="M14 88V72h18v16M42 88V58h18v30" />
        <path
          d={
            'M70 82c0 3 5 6 12 6s12-3 12-6v-8c0 3-5 6-12 6s-12-3-12-6zM70 66v8M94 66v8M70 66c0 3 5 6 12 ' +
            '6s12-3 12-6-5-6-12-6-12 3-12 6z'
          }
        />
        <path d="M84 10a18 18 0 1 1-7 34.600l-9 2.800 2.900-8A18 18 0 0 1 84 10Z" />
        <path d="M81 36V20h5a5 5 0 0 1 0 10h-5" />
      </g>
    </svg>
  );
}

/**
 * A column per day, a color per status. The day under the pointer, or selected with the arrow keys,
 * is described below.
 */
function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
  const [chosen, setChosen] = useState<number>();
  const last = days.length - 1;
  const index = Math.min(chosen ?? last, last);
  const day = days[index];
  const max = axisMax(days);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * days.length);
    setChosen(Math.max(0, Math.min(last, place)));
  };
  return (
    <figure className={activityChartStyles.chart}>
      <div className={activityChartStyles.axis} aria-hidden="true">
        {[max, max / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en-US', { notation: 'compact' })}</span>
        ))}
      </div>
      <div className={activityChartStyles.plot} onPointerMove={point} onPointerDown={point}>
        <svg
          className={activityChartStyles.columns}
          viewBox={`0 0 ${days.length} 1`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <rect className={activityChartStyles.band} x={index} y={0} width={1} height={1} />
          {[0, 0.5, 1].map((y) => (
            <line key={y} className={activityChartStyles.line} x1={0} x2={days.length} y1={y} y2={y} />
          ))}
          {days.map((one, place) =>
            columnOf(one, max).map(({ state, y, height }) => (
              <rect
                key={state}
                className={activityChartStyles[state]}
                x={place + 0.14}
                y={y}
                width={0.72}
                height={height}
              />
            )),
          )}
        </svg>
        <input
          className={activityChartStyles.day}
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label="Day"
          aria-valuetext={day && `${dayText(day.day)}: ${dayInWords(day)}`}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </div>
      <div className={activityChartStyles.dates} aria-hidden="true">
        {[0, Math.floor(last / 2), last].map((place) => (
          <span key={place}>{shortDayText(days[place]?.day ?? '')}</span>
        ))}
      </div>
      {day && (
        <figcaption className={activityChartStyles.reading}>
          <strong>{dayText(day.day)}</strong>: {dayInWords(day)}
        </figcaption>
      )}
    </figure>
  );
}
