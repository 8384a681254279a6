import { type PointerEvent, useState } from 'react';
import type { ActivityDay } from '#contract/dashboard.js';
import { dayText, shortDayText } from '../../ui/format.js';
import styles from './activity-chart.module.css';
import { axisMax, columnOf, dayInWords } from './activity-days.js';

/**
 * A column per day, a color per status. The day under the pointer, or selected with the arrow keys, is described below.
 */
export function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
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
    <figure className={styles.chart}>
      <div className={styles.axis} aria-hidden="true">
        {[max, max / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en-US', { notation: 'compact' })}</span>
        ))}
      </div>
      <div className={styles.plot} onPointerMove={point} onPointerDown={point}>
        <svg
          className={styles.columns}
          viewBox={`0 0 ${days.length} 1`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <rect className={styles.band} x={index} y={0} width={1} height={1} />
          {[0, 0.5, 1].map((y) => (
            <line key={y} className={styles.line} x1={0} x2={days.length} y1={y} y2={y} />
          ))}
          {days.map((one, place) =>
            columnOf(one, max).map(({ state, y, height }) => (
              <rect key={state} className={styles[state]} x={place + 0.14} y={y} width={0.72} height={height} />
            )),
          )}
        </svg>
        <input
          className={styles.day}
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label="Day"
          aria-valuetext={day && `${dayText(day.day)}: ${dayInWords(day)}`}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      </div>
      <div className={styles.dates} aria-hidden="true">
        {[0, Math.floor(last / 2), last].map((place) => (
          <span key={place}>{shortDayText(days[place]?.day ?? '')}</span>
        ))}
      </div>
      {day && (
        <figcaption className={styles.reading}>
          <strong>{dayText(day.day)}</strong>: {dayInWords(day)}
        </figcaption>
      )}
    </figure>
  );
}
