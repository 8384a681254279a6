import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.js';
import type { StatusAnswer } from '#contract/public-figures.js';
import { type Component, componentNames, components, type ComponentState, stateNames } from '#contract/status-names.js';
import { PageMeta } from '../../page-meta.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { PageFrame } from '../../ui/page-frame.js';
import { Notice } from '../../ui/surface.js';
import { paths } from '../../paths.js';
import { readStatus } from '../site/public-figures.js';
import { HistoryBars, HistoryTable } from './status-history.js';
import styles from './status.module.css';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '../../ui/line-icons.js';

const REFRESH_MS = 60_000;

/** The answer, or 'failed' without a reason, which is of no use to a visitor. */
type Loaded = StatusAnswer | 'failed' | undefined;

export default function StatusPage() {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isShown = true;
    const read = () =>
      void readStatus()
        .catch((): Loaded => 'failed')
        .then((answer) => isShown && setLoaded(answer));
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, []);
  const answer = typeof loaded === 'object' ? loaded : undefined;
  return (
    <PageFrame title="Status" lead="What works right now, measured every minute.">
      <PageMeta
        title="Status"
        description={
          'Whether Pennytext accepts and delivers messages right now, and the history and incidents of the last ' +
          `${limits.statusDays} days.`
        }
      />
      <link rel="alternate" type="application/atom+xml" title="Pennytext status" href={paths.statusFeed} />
      <div className={styles.status}>
        {loaded === 'failed' ? (
          <Notice kind="bad" role="alert">
            The status could not be loaded. The API may be unavailable, or your connection. Trying again every minute.
          </Notice>
        ) : (
          <>
            <div>
              <p className={styles.summary} role="status">
                {answer ? summaryOf(answer) : 'Loading...'}
              </p>
              <p className={styles.measured}>
                <a href={paths.statusFeed}>Subscribe to changes (Atom feed)</a>
                <span>{answer ? measuredText(answer) : 'Loading...'}</span>
              </p>
            </div>
            <ul className={styles.components} aria-label="Components">
              {components.map((component) => {
                const state = answer?.components.find((one) => one.component === component)?.state;
                return (
                  <li key={component}>
                    <div className={styles.now}>
                      <span>
                        <strong>{componentNames[component]}</strong>
                        <span className={styles.what}>{effects[component]}</span>
                      </span>
                      {state ? (
                        <State state={state} />
                      ) : (
                        // An installation without email has no state of email.
                        <span className={styles.what}>{answer ? 'Not used' : 'Loading...'}</span>
                      )}
                    </div>
                    <HistoryBars
                      component={component}
                      history={answer?.history.find((one) => one.component === component)}
                      isLoading={!answer}
                    />
                  </li>
                );
              })}
            </ul>
            <details className={styles.table}>
              <summary>Every day as a table</summary>
              {answer && <HistoryTable history={answer.history} />}
            </details>
            <section aria-labelledby="incidents">
              <h2 id="incidents">Incidents of the last {limits.statusDays} days</h2>
              {answer?.incidents.length === 0 ? (
                <p className={styles.what}>None.</p>
              ) : (
                <DataTable
                  label="Incidents"
                  columns={columns}
                  rows={answer?.incidents}
                  keyOf={({ component, started_at: at }) => `${component} ${at}`}
                  placesKept={1}
                />
              )}
            </section>
          </>
        )}
      </div>
    </PageFrame>
  );
}

const effects: Readonly<Record<Component, string>> = {
  api: 'Requests are answered',
  sending: 'Messages and one-time passwords reach the carrier',
  webhooks: 'Events are sent to your URL',
  email: 'Receipts, alerts and sign-in links are sent',
};

const icons: Readonly<Record<ComponentState, typeof IconCircleCheck>> = {
  operational: IconCircleCheck,
  degraded: IconAlertTriangle,
  outage: IconCircleX,
  unknown: IconHelpCircle,
};

function State({ state }: { state: ComponentState }) {
  const Icon = icons[state];
  return (
    <span className={styles.state} data-state={state}>
      <Icon size={20} aria-hidden="true" />
      {stateNames[state]}
    </span>
  );
}

function summaryOf({ components: measured, measured_at: at }: StatusAnswer): string {
  const has = (state: ComponentState) => measured.some((one) => one.state === state);
  if (has('outage')) return 'Part of the service is down.';
  if (has('degraded')) return 'Part of the service is slower than usual.';
  if (has('unknown')) return at ? 'Part of the service is not measured.' : 'Not measured yet.';
  return 'Everything works.';
}

/** Time of the measurement, to the second. */
function measuredText({ measured_at: at }: StatusAnswer): string {
  return at === null ? 'No measurement yet.' : `Measured ${momentText(at)}.`;
}

type Incident = StatusAnswer['incidents'][number];

const columns: readonly Column<Incident>[] = [
  { title: 'Component', cell: ({ component }) => componentNames[component] },
  { title: 'Worst state', cell: ({ state }) => <State state={state} /> },
  { title: 'Began (New York)', cell: ({ started_at: at }) => timeText(at) },
  { title: 'Ended (New York)', cell: ({ ended_at: at }) => (at === null ? 'Not yet' : timeText(at)) },
];

const NEW_YORK = { timeZone: 'America/New_York' } as const;

/** A time in New York, as everywhere in the product. */
function timeText(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', ...NEW_YORK });
}

function momentText(at: string): string {
  const moment = new Date(at);
  const day = moment.toLocaleDateString('en-US', { dateStyle: 'medium', ...NEW_YORK });
  // The text fits on one line of a phone.
  return `${day}, ${moment.toLocaleTimeString('en-US', NEW_YORK)}, New York`;
}
