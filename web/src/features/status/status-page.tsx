import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.js';
import type { Component, ComponentState, StatusAnswer } from '#contract/public-figures.js';
import { PageMeta } from '../../page-meta.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { PageFrame } from '../../ui/page-frame.js';
import { Notice } from '../../ui/surface.js';
import { readStatus } from '../site/public-figures.js';
import styles from './status.module.css';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '../../ui/line-icons.js';

const REFRESH_MS = 60_000;

/** A public page shows a failed load like this; the reason is of no use to a visitor. */
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
        description="Whether Pennytext accepts and delivers messages right now, and the incidents of the last 30 days."
      />
      <div className={styles.status}>
        {loaded === 'failed' ? (
          <Notice kind="bad" role="alert">
            The status could not be loaded. The API may be unavailable, or your connection. Trying again every minute.
          </Notice>
        ) : (
          <>
            <p className={styles.summary} role="status">
              {answer ? summaryOf(answer) : 'Loading...'}
            </p>
            <ul className={styles.components} aria-label="Components">
              {(Object.keys(names) as Component[]).map((component) => {
                const state = answer?.components.find((one) => one.component === component)?.state;
                return (
                  <li key={component}>
                    <span>
                      <strong>{names[component][0]}</strong>
                      <span className={styles.what}>{names[component][1]}</span>
                    </span>
                    {state ? (
                      <State state={state} />
                    ) : (
                      // An installation without email has no state of it.
                      <span className={styles.what}>{answer ? 'Not used' : 'Loading...'}</span>
                    )}
                  </li>
                );
              })}
            </ul>
            <section aria-labelledby="incidents">
              <h2 id="incidents">Incidents of the last {limits.incidentDays} days</h2>
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

const names: Readonly<Record<Component, readonly [title: string, what: string]>> = {
  api: ['API', 'Requests are answered'],
  sending: ['Sending', 'Messages and one-time passwords reach the carrier'],
  webhooks: ['Webhooks', 'Events are sent to your URL'],
  email: ['Email', 'Receipts, alerts and sign-in links are sent'],
};

const states: Readonly<Record<ComponentState, readonly [title: string, icon: typeof IconCircleCheck]>> = {
  operational: ['Operational', IconCircleCheck],
  degraded: ['Delayed', IconAlertTriangle],
  outage: ['Outage', IconCircleX],
  unknown: ['Not measured', IconHelpCircle],
};

function State({ state }: { state: ComponentState }) {
  const [title, Icon] = states[state];
  return (
    <span className={styles.state} data-state={state}>
      <Icon size={20} aria-hidden="true" />
      {title}
    </span>
  );
}

function summaryOf({ components, measured_at: at }: StatusAnswer): string {
  const has = (state: ComponentState) => components.some((one) => one.state === state);
  if (has('outage')) return 'Part of the service is down.';
  if (has('degraded')) return 'Part of the service is slower than usual.';
  if (has('unknown')) return at ? `Not measured since ${timeText(at)}.` : 'Not measured yet.';
  return 'Everything works.';
}

type Incident = StatusAnswer['incidents'][number];

const columns: readonly Column<Incident>[] = [
  { title: 'Component', cell: ({ component }) => names[component][0] },
  { title: 'Worst state', cell: ({ state }) => <State state={state} /> },
  { title: 'Began (UTC)', cell: ({ started_at: at }) => timeText(at) },
  { title: 'Ended (UTC)', cell: ({ ended_at: at }) => (at === null ? 'Not yet' : timeText(at)) },
];

/** UTC, as customers are in many time zones. */
function timeText(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
}
