import { useEffect, useState } from 'react';
import type { QualityAnswer, QualityCell } from '#contract/public-figures.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { PageMeta } from '../../page-meta.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { dayText } from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { PageFrame } from '../../ui/page-frame.js';
import { Notice } from '../../ui/surface.js';
import { EmptyView } from '../../ui/view.js';
import { readQuality } from '../site/public-figures.js';
import styles from './quality.module.css';

const shownFrom =
  `a country and day is shown with at least ${limits.qualityAccountsMin} accounts or ` +
  `${limits.qualityMessagesMin.toLocaleString('en-US')} messages.`;

/** The answer, or 'failed' without a reason, which is of no use to a visitor. */
type Loaded = QualityAnswer | 'failed' | undefined;

export default function QualityPage() {
  const [loaded, setLoaded] = useState<Loaded>();
  const [day, setDay] = useState<string>();
  useEffect(() => {
    let isShown = true;
    void readQuality()
      .catch((): Loaded => 'failed')
      .then((answer) => isShown && setLoaded(answer));
    return () => {
      isShown = false;
    };
  }, []);
  const cells = typeof loaded === 'object' ? loaded.quality : undefined;
  const days = [...new Set(cells?.map((cell) => cell.day))];
  const shownDay = day ?? days[0];
  return (
    <PageFrame title="Delivery quality" lead={`By country, for the last ${limits.qualityDays} days.`}>
      <PageMeta
        title="Delivery quality"
        description="Share of messages delivered and time to delivery, by country and day, measured over all accounts."
      />
      <p className={styles.none} data-when="no-figures">
        To protect our customers, {shownFrom}
      </p>
      <p className={styles.method} data-when="figures">
        The share delivered is of the messages that ended: delivered, undelivered or failed. A message belongs to the
        UTC day on which it was accepted. Times run from acceptance, or from the time a message was scheduled for, until
        the carrier reports delivery; reports count for three days. Codes entered are those of one-time passwords that
        were sent on that day in New York. To protect our customers, {shownFrom}
      </p>
      <div className={styles.figures}>
        {loaded === 'failed' ? (
          <Notice kind="bad" role="alert">
            The figures could not be loaded. Reload the page to try again.
          </Notice>
        ) : cells?.length === 0 ? (
          <EmptyView title="Nothing to show yet" text="Figures appear once enough messages were sent to a country." />
        ) : (
          <>
            <label className={styles.day}>
              Day (UTC)
              <select value={shownDay} disabled={!cells} onChange={(event) => setDay(event.target.value)}>
                {(cells ? days : ['']).map((one) => (
                  <option key={one} value={one}>
                    {one === '' ? 'Loading...' : dayText(one)}
                  </option>
                ))}
              </select>
            </label>
            <DataTable
              label="Delivery by country"
              columns={columns}
              rows={cells
                ?.filter((cell) => cell.day === shownDay)
                .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))}
              keyOf={({ country }) => country}
              placesKept={6}
            />
          </>
        )}
      </div>
    </PageFrame>
  );
}

const names = new Map(regions.map(({ iso2, country }) => [iso2, country]));
const nameOf = ({ country }: QualityCell) => names.get(country) ?? country;

const columns: readonly Column<QualityCell>[] = [
  {
    title: 'Country',
    cell: (cell) => (
      <span className={styles.country}>
        {names.has(cell.country) && <Flag iso2={cell.country} />}
        {nameOf(cell)}
      </span>
    ),
  },
  { title: 'Delivered', isNumber: true, cell: ({ delivered_percent: share }) => percentText(share) },
  { title: 'Median time', isNumber: true, cell: ({ median_seconds: seconds }) => secondsText(seconds) },
  { title: '95% within', isNumber: true, cell: ({ p95_seconds: seconds }) => secondsText(seconds) },
  { title: 'Codes entered', isNumber: true, cell: ({ verified_percent: share }) => percentText(share) },
];

function percentText(share: number | null): string {
  return share === null ? '–' : `${share.toFixed(1)}%`;
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : `${seconds.toLocaleString('en-US', { minimumFractionDigits: 1 })} s`;
}
