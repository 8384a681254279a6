import type { ActivityDay } from '#contract/dashboard.js';
import { dayText } from '../../../../dashboard/date-time.js';
import { Table } from '../../../../ui/table.js';
import styles from './activity-table.module.css';
import { dayStates, totalOf } from './day-states.js';

/** The same in numbers: the days that have messages, the newest first. */
export function ActivityTable({ days }: { days: readonly ActivityDay[] }) {
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
