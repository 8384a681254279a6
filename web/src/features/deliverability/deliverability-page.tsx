import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { DeliverabilityAnswer } from '#contract/deliverability.js';
import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { deliverabilityCsvPath, deliverabilityKey, deliverabilityQuery } from '../../api/messages.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { ReasonCode } from '../../dashboard/records/reason.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { DateRange } from '../../ui/date-range.js';
import { type Days, daysIn, isAll, type Span, spanOf } from '../../ui/days.js';
import { briefDayText } from '../../ui/format.js';
import { Flag } from '../../ui/icons.js';
import { Card, Notice } from '../../ui/surface.js';
import { EmptyView, View } from '../../ui/view.js';
import styles from './deliverability.module.css';

const counts = [1, 7, limits.deliverabilityDaysDefault, 90];
const usualDays: Days = { days: String(limits.deliverabilityDaysDefault), from: '', to: '' };

/** Outcomes of the account's messages by reason, country, day and key. */
export default function DeliverabilityPage() {
  const [address, setAddress] = useSearchParams();
  const { days: asked, fault } = daysIn(address, { isWhole: true, daysMax: limits.deliverabilityDaysMax });
  const days = isAll(asked) ? usualDays : asked;
  const span = spanOf(days);
  const show = (chosen: Days) => setAddress(Object.entries(chosen).filter(([, value]) => value !== ''));
  return (
    <View
      title="Deliverability"
      lead={
        'What became of the messages that you sent on these days. Messages on their way and canceled ones do ' +
        'not count.'
      }
      actions={
        <ButtonLink to={deliverabilityCsvPath(span)} reloadDocument download>
          Export CSV
        </ButtonLink>
      }
    >
      <search className={styles.days} aria-label="Days">
        <DateRange value={days} counts={counts} isWhole daysMax={limits.deliverabilityDaysMax} onChange={show} />
      </search>
      {fault !== undefined && (
        <Notice kind="bad" role="status">
          {fault} These are the last {limits.deliverabilityDaysDefault} days.
        </Notice>
      )}
      <Figures
        key={`${span.from} ${span.to}`}
        span={span}
        onLonger={days.days === '90' ? undefined : () => show({ days: '90', from: '', to: '' })}
      />
    </View>
  );
}

interface FiguresProps {
  readonly span: Span;
  /** Shows more days; undefined when `span` is the longest named choice. */
  readonly onLonger: (() => void) | undefined;
}

function Figures({ span, onLonger }: FiguresProps) {
  const { data, error, refetch } = useQuery({ ...deliverabilityQuery(span), refetchOnMount: 'always' });
  useRefresh(deliverabilityKey);
  if (error && !data)
    return <FailureNotice error={error} what="The figures could not be loaded." onRetry={() => void refetch()} />;
  if (data?.messages === 0)
    return (
      <EmptyView
        title="No message ended on these days."
        text="This page counts the messages that were delivered, and shows why others were not."
      >
        {onLonger === undefined ? (
          <ButtonLink to={paths.dashboardSend}>Send a message</ButtonLink>
        ) : (
          <Button onClick={onLonger}>Show the last 90 days</Button>
        )}
      </EmptyView>
    );
  return (
    <>
      {error && <FailureNotice error={error} what="The figures could not be updated." onRetry={() => void refetch()} />}
      <Totals data={data} />
      <Part title="By reason">
        {data?.reasons.length === 0 ? (
          <p className={styles.none}>Every message was delivered.</p>
        ) : (
          <DataTable
            label="By reason"
            columns={reasonColumns(span, data)}
            rows={data?.reasons}
            keyOf={({ code }) => code}
          />
        )}
      </Part>
      <Part title="By country">
        <DataTable
          label="By country"
          columns={countryColumns}
          rows={data?.countries}
          keyOf={({ country }) => country}
        />
      </Part>
      <Part title="By key">
        <DataTable
          label="By key"
          columns={keyColumns}
          rows={data?.keys}
          keyOf={({ key_id: keyId }) => keyId ?? 'account'}
        />
      </Part>
      <Part title="By day">
        <DataTable label="By day" columns={dayColumns} rows={data?.days.toReversed()} keyOf={({ day }) => day} />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}

/** Number of ended messages, and of delivered messages. */
interface Ended {
  readonly messages: number;
  readonly delivered: number;
}

const number = (value: number) => value.toLocaleString('en-US');
const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)}%`;

function Totals({ data }: { data: Ended | undefined }) {
  const totals = [
    ['Delivered', data && share(data.delivered, data.messages)],
    ['Messages that have ended', data && number(data.messages)],
    ['Not delivered', data && number(data.messages - data.delivered)],
  ] as const;
  return (
    <div className={styles.totals}>
      {totals.map(([title, figure]) => (
        <Card key={title}>
          <p className={styles.name}>{title}</p>
          <p className={figure === undefined ? styles.loading : styles.figure}>{figure ?? 'Loading...'}</p>
        </Card>
      ))}
    </div>
  );
}

type Reason = DeliverabilityAnswer['reasons'][number];

/** Columns of reasons: a reason links to its messages of these days, its code to an explanation. */
function reasonColumns({ from, to }: Span, data: Ended | undefined): readonly Column<Reason>[] {
  const failed = data ? data.messages - data.delivered : 0;
  return [
    {
      title: 'Reason',
      phone: 'title',
      cell: ({ code, text }) => (
        <Link data-open to={`${paths.dashboardMessages}?${new URLSearchParams({ reason: code, from, to }).toString()}`}>
          {text}
        </Link>
      ),
    },
    {
      title: 'Code',
      phone: 'text',
      cell: ({ code, permanent }) => (
        <>
          <ReasonCode code={code} />
          <span className={styles.phone}> · {lasting(permanent)}</span>
        </>
      ),
    },
    { title: 'Sending it again', cell: ({ permanent }) => lasting(permanent) },
    { title: 'Messages', isNumber: true, phone: 'state', cell: ({ messages }) => number(messages) },
    {
      title: 'Share of failures',
      isNumber: true,
      phone: 'time',
      cell: ({ messages }) => <Share part={messages} whole={failed} />,
    },
  ];
}

const lasting = (permanent: boolean) => (permanent ? 'fails again' : 'may work');

/** A share in words and as a bar. */
function Share({ part, whole }: { part: number; whole: number }) {
  return (
    <span className={styles.share}>
      <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="1" className={styles.ground} />
        <rect width={(100 * part) / whole} height="1" className={styles.filled} />
      </svg>
      <span className={styles.percent}>{share(part, whole)}</span>
    </span>
  );
}

/** Counts in every part but the reasons. */
const endedColumns: readonly Column<Ended>[] = [
  {
    title: 'Messages',
    isNumber: true,
    phone: 'text',
    cell: ({ messages }) => number(messages),
  },
  { title: 'Delivered', isNumber: true, cell: ({ delivered }) => number(delivered) },
  {
    title: 'Not delivered',
    isNumber: true,
    phone: 'time',
    cell: ({ messages, delivered }) => number(messages - delivered),
  },
  {
    title: 'Delivery rate',
    isNumber: true,
    phone: 'state',
    cell: ({ messages, delivered }) => <Share part={delivered} whole={messages} />,
  },
];

const countryNames = new Map(regions.map(({ iso2, country }) => [iso2, country]));

const countryColumns: readonly Column<DeliverabilityAnswer['countries'][number]>[] = [
  {
    title: 'Country',
    phone: 'title',
    cell: ({ country }) => (
      <span className={styles.country}>
        {countryNames.has(country) && <Flag iso2={country} />}
        {countryNames.get(country) ?? country}
      </span>
    ),
  },
  ...endedColumns,
];

const keyColumns: readonly Column<DeliverabilityAnswer['keys'][number]>[] = [
  {
    title: 'Key',
    phone: 'title',
    cell: ({ key_id: keyId, name }) =>
      keyId === null ? 'Account key and dashboard' : <bdi>{name ?? `Revoked key ${keyId.slice(0, 8)}`}</bdi>,
  },
  ...endedColumns,
];

const dayColumns: readonly Column<DeliverabilityAnswer['days'][number]>[] = [
  { title: 'Day', phone: 'title', cell: ({ day }) => <time dateTime={day}>{briefDayText(day)}</time> },
  ...endedColumns,
];
