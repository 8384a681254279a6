import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { NumberView } from '#contract/numbers.js';
import { numbersQuery, poolsQuery } from '../../api/numbers.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { numberPath } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { Moment } from '../../ui/moment.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { EmptyView } from '../../ui/view.js';
import { NumberState, renewalOf, typeWords } from './number-state.js';
import styles from './numbers.module.css';

/** The numbers that the account has. */
export function OwnNumbers({ onBuy }: { readonly onBuy: () => void }) {
  const { data, error, refetch } = useQuery({ ...numbersQuery(), refetchOnMount: 'always' });
  const { data: pools } = useQuery(poolsQuery);
  const nameOf = new Map(pools?.pools.map(({ pool_id: id, name }) => [id, name]));
  if (error && !data)
    return <FailureNotice error={error} what="Your numbers could not be loaded." onRetry={() => void refetch()} />;
  if (data?.numbers.length === 0)
    return (
      <EmptyView
        title="No numbers yet."
        text="Until you have one, your messages come from numbers that several customers share."
      >
        <Button look="primary" onClick={onBuy}>
          Buy a number
        </Button>
      </EmptyView>
    );
  return (
    <DataTable
      label="Your numbers"
      columns={[...columns, poolColumn(nameOf)]}
      rows={data?.numbers}
      keyOf={({ number_id: id }) => id}
    />
  );
}

/** Those that it had, the latest first. */
export function ReleasedNumbers() {
  const { data, error, refetch } = useQuery({ ...numbersQuery('released'), refetchOnMount: 'always' });
  if (error && !data)
    return <FailureNotice error={error} what="Your numbers could not be loaded." onRetry={() => void refetch()} />;
  if (data?.numbers.length === 0)
    return (
      <EmptyView title="None was released." text="What was written from a released number stays in SMS History." />
    );
  return (
    <DataTable
      label="Released numbers"
      columns={columns.filter(({ title }) => title !== 'Rent')}
      rows={data?.numbers}
      keyOf={({ number_id: id }) => id}
    />
  );
}

const columns: readonly Column<NumberView>[] = [
  {
    title: 'Number',
    phone: 'title',
    cell: ({ number_id: id, number, label }) => (
      <span className={styles.name}>
        <Link to={numberPath(id)} data-open>
          <PhoneNumber number={number} />
        </Link>
        {label !== null && (
          <span className={`${styles.quiet} ${styles.cut}`} dir="auto" title={label}>
            {label}
          </span>
        )}
      </span>
    ),
  },
  { title: 'State', phone: 'state', cell: (number) => <NumberState {...number} /> },
  { title: 'Kind', phone: 'text', cell: (number) => <span className={styles.line}>{kindText(number)}</span> },
  {
    title: 'Rent',
    phone: 'time',
    isNumber: true,
    cell: ({ credits_per_month: rent }) => (
      <span className={styles.line}>{rent === null ? 'None' : `${credits(rent)} a month`}</span>
    ),
  },
  { title: 'Renewal', phone: 'more', cell: renewalCell },
];

function renewalCell(number: NumberView) {
  const { title, at } = renewalOf(number) ?? {};
  return (
    <span className={styles.line}>
      {title} {at !== undefined && <Moment at={at} />}
    </span>
  );
}

function kindText({ type, locality, origin }: NumberView): string {
  if (origin === 'operator' || type === null) return 'From the operator';
  return locality === null ? typeWords[type] : `${typeWords[type]}, ${locality}`;
}

function poolColumn(nameOf: ReadonlyMap<string, string>): Column<NumberView> {
  return {
    title: 'Pools',
    cell: ({ pools }) => {
      const names = pools.map((id) => nameOf.get(id) ?? id).join(', ') || 'None';
      return (
        <span className={styles.cut} title={names}>
          {names}
        </span>
      );
    },
  };
}
