import type { StatusAnswer, StatusDay } from '#contract/public-figures.js';
import { limits } from '#contract/limits.js';
import { type Component, componentNames, stateNames } from '#contract/status-names.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import styles from './status.module.css';

type History = StatusAnswer['history'][number];

/** A day with a smaller measured part is drawn as a half bar. */
const MEASURED_WHOLE_PERCENT = 90;

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const dayText = (day: string) => dayFormat.format(new Date(day));

interface HistoryBarsProps {
  readonly component: Component;
  /** Undefined while loading, and for a component that is not used. */
  readonly history: History | undefined;
  readonly isLoading: boolean;
}

/**
 * The days of a component, one bar each: color and shape show the state; a half bar shows that part
 * of the day was not measured. Empty, at the same height, during the load.
 */
export function HistoryBars({ component, history, isLoading }: HistoryBarsProps) {
  const days = measuredDays(history);
  // A new installation, or a new component, has fewer days: earlier days have empty bars.
  const empty = Array.from({ length: limits.statusDays - days.length }, (_, place) => place);
  return (
    <div className={styles.history}>
      <div
        className={styles.bars}
        role="img"
        aria-label={`${componentNames[component]}: ${isLoading ? 'Loading...' : barsText(history)}`}
      >
        {empty.map((place) => (
          <span key={place} className={styles.bar} />
        ))}
        {days.map((one) => (
          <span
            key={one.day}
            className={styles.bar}
            data-state={one.state}
            data-part={one.state !== 'unknown' && one.measured_percent < MEASURED_WHOLE_PERCENT}
            title={`${dayText(one.day)}: ${stateText(one)}`}
          />
        ))}
      </div>
      <p className={styles.scale}>
        <span>{limits.statusDays} days ago</span>
        {/* A new element once the text is known: a text that moves would be a layout shift. */}
        <span key={String(isLoading)}>{isLoading ? 'Loading...' : availableText(history)}</span>
        <span>Today</span>
      </p>
    </div>
  );
}

/** The days of a component from the first measured day on. */
function measuredDays(history: History | undefined): readonly StatusDay[] {
  const days = history?.days.slice(-limits.statusDays) ?? [];
  const first = days.findIndex(({ state }) => state !== 'unknown');
  return first === -1 ? [] : days.slice(first);
}

/** The days of all components as a table, newest day first. */
export function HistoryTable({ history }: { history: StatusAnswer['history'] }) {
  const days = [...new Set(history.flatMap((one) => measuredDays(one).map(({ day }) => day)))].toSorted().toReversed();
  const dayOf = (component: Component, day: string) =>
    history.find((one) => one.component === component)?.days.find((one) => one.day === day);
  const columns: readonly Column<string>[] = [
    { title: 'Day (UTC)', cell: dayText },
    ...history.map(({ component }) => ({
      title: componentNames[component],
      cell: (day: string) => stateText(dayOf(component, day)),
    })),
  ];
  return <DataTable label="History by day" columns={columns} rows={days} keyOf={(day) => day} />;
}

function stateText(day: StatusDay | undefined): string {
  if (!day || day.available_percent === null) return 'No data';
  const part = day.measured_percent < MEASURED_WHOLE_PERCENT ? `, measured ${day.measured_percent}% of the day` : '';
  const percent = day.state === 'outage' ? `, ${day.available_percent}% available` : '';
  return stateNames[day.state] + percent + part;
}

function availableText(history: History | undefined): string {
  const percent = history?.available_percent ?? null;
  if (percent === null) return 'No data';
  const { length } = measuredDays(history);
  const span = length === limits.statusDays ? '' : length === 1 ? ' today' : ` in ${length} days`;
  return `${percent}% available${span}`;
}

/** The bars as text. */
function barsText(history: History | undefined): string {
  const days = measuredDays(history);
  const count = (state: StatusDay['state']) => days.filter((one) => one.state === state).length;
  const parts = [
    days.length === 1 ? '1 day' : `${days.length} days`,
    availableText(history),
    `${count('operational')} operational`,
    `${count('degraded')} with delays`,
    `${count('outage')} with an outage`,
    `${count('unknown')} without data`,
  ];
  return `${parts.join(', ')}.`;
}
