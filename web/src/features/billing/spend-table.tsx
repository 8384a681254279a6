import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { regions } from '#contract/regions.js';
import type { SpendAnswer, SpendKind } from '#contract/spend.js';
import { spendCsvPath, spendKey, spendQuery } from '../../api/spend.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { useRefresh } from '../../dashboard/live/live-events.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Select } from '../../ui/field.js';
import { Flag } from '../../ui/icons.js';
import { Card } from '../../ui/surface.js';
import { EmptyView } from '../../ui/view.js';
import styles from './billing.module.css';
import { firstDayOf } from './months.js';

const spans = [
  ['1', 'This month'],
  ['3', 'Last 3 months'],
  ['6', 'Last 6 months'],
  ['12', 'Last 12 months'],
] as const;
type Months = (typeof spans)[number][0];

/** Spent credits by month and key, by country and by kind. */
export function SpendTable() {
  const [months, setMonths] = useState<Months>('6');
  const days = { from: firstDayOf(Number(months)) };
  const { data, error, refetch } = useQuery({ ...spendQuery(days), refetchOnMount: 'always' });
  useRefresh(spendKey);
  return (
    <>
      <div className={styles.spendHead}>
        <div className={styles.months}>
          <Select label="Months shown" options={spans} value={months} onChange={setMonths} />
        </div>
        <div className={styles.exports}>
          <ButtonLink to={spendCsvPath(days)} reloadDocument download>
            Export CSV
          </ButtonLink>
        </div>
      </div>
      {error && <FailureNotice error={error} what="Your spend could not be loaded." onRetry={() => void refetch()} />}
      {data?.months.length === 0 ? (
        <EmptyView
          title="Nothing was spent in these months."
          text="The credits of messages, one-time passwords and replies are added up here, by month, key and country."
        >
          <ButtonLink to={paths.dashboardSend}>Send a message</ButtonLink>
        </EmptyView>
      ) : (
        (data || !error) && <Figures data={data} />
      )}
    </>
  );
}

function Figures({ data }: { data: SpendAnswer | undefined }) {
  const totals = [
    ['Spent', data && `${number(data.spent)} ${data.spent === 1 ? 'credit' : 'credits'}`],
    ['Charged', data && number(data.charged)],
    ['Refunded', data && number(data.refunded)],
  ] as const;
  return (
    <>
      <div className={styles.totals}>
        {totals.map(([title, figure]) => (
          <Card key={title}>
            <p className={styles.totalName}>{title}</p>
            <p className={styles.total}>{figure ?? 'Loading...'}</p>
          </Card>
        ))}
      </div>
      <Part title="By month and key">
        <DataTable
          label="By month and key"
          columns={monthColumns}
          rows={data && monthRows(data)}
          keyOf={({ month, keyId }) => `${month} ${keyId ?? 'account'}`}
        />
      </Part>
      <Part title="By country">
        <DataTable
          label="By country"
          columns={countryColumns}
          rows={data?.countries}
          keyOf={({ country }) => country ?? 'none'}
        />
      </Part>
      <Part title="By use">
        <DataTable label="By use" columns={kindColumns} rows={data?.kinds} keyOf={({ kind }) => kind} />
      </Part>
      <p className={styles.hint}>
        A charge counts on the day of the message, a refund on the day on which the credits came back. Days are those of
        New York, and the figures those of the credit ledger.
      </p>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className={styles.partTitle}>{title}</h2>
      {children}
    </section>
  );
}

const number = (value: number) => value.toLocaleString('en-US').replace('-', '−');

type Figures = Pick<SpendAnswer, 'messages' | 'charged' | 'refunded' | 'spent'>;

const figureColumns: readonly Column<Figures>[] = [
  {
    title: 'Messages',
    isNumber: true,
    phone: 'text',
    cell: ({ messages }) => number(messages),
  },
  { title: 'Charged', isNumber: true, cell: ({ charged }) => number(charged) },
  {
    title: 'Refunded',
    isNumber: true,
    phone: 'time',
    cell: ({ refunded }) => number(refunded),
  },
  {
    title: 'Spent',
    isNumber: true,
    phone: 'state',
    cell: ({ spent }) => (
      <>
        <strong>{number(spent)}</strong>
        <span className={styles.phone}>{spent === 1 ? ' credit' : ' credits'}</span>
      </>
    ),
  },
];

interface MonthRow extends Figures {
  readonly month: string;
  readonly keyId: string | null;
  readonly name: string | null;
}

/** Rows by month, newest first, and within a month by the keys' spend. */
function monthRows({ months }: SpendAnswer): MonthRow[] {
  return months
    .toReversed()
    .flatMap(({ month, keys }) =>
      keys.map(({ key_id: keyId, name, ...figures }) => ({ month, keyId, name, ...figures })),
    );
}

const monthNames = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const monthName = (month: string) => monthNames.format(new Date(`${month}-01T00:00:00Z`));

const monthColumns: readonly Column<MonthRow>[] = [
  {
    title: 'Month',
    cell: ({ month }, previous) => (
      <span className={previous?.month === month ? styles.repeated : undefined}>{monthName(month)}</span>
    ),
  },
  {
    title: 'Key',
    phone: 'title',
    cell: ({ keyId, name, month }) => (
      <>
        {keyId === null ? 'Account key, dashboard, replies' : <bdi>{name ?? `Revoked key ${keyId.slice(0, 8)}`}</bdi>}
        <span className={styles.phone}> · {monthName(month)}</span>
      </>
    ),
  },
  ...figureColumns,
];

const countryNames = new Map(regions.map(({ iso2, country }) => [iso2, country]));

const countryColumns: readonly Column<SpendAnswer['countries'][number]>[] = [
  {
    title: 'Country',
    phone: 'title',
    cell: ({ country }) =>
      country === null ? (
        'Replies, and messages that are not kept'
      ) : (
        <span className={styles.country}>
          {countryNames.has(country) && <Flag iso2={country} />}
          {countryNames.get(country) ?? country}
        </span>
      ),
  },
  ...figureColumns,
];

const kindTitles: Readonly<Record<SpendKind, string>> = {
  message: 'Messages',
  otp: 'One-time passwords',
  reply: 'Replies received',
  number: 'Numbers',
};

const kindColumns: readonly Column<SpendAnswer['kinds'][number]>[] = [
  { title: 'Use', phone: 'title', cell: ({ kind }) => kindTitles[kind] },
  ...figureColumns,
];
