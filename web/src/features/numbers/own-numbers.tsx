import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { limits } from '#contract/limits.js';
import type { AvailableNumberView, NumberView } from '#contract/numbers.js';
import { availableNumbersQuery, numbersQuery, poolsQuery } from '../../api/numbers.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import { numberPath } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { briefDayText, newYorkDay } from '../../ui/format.js';
import { Moment } from '../../ui/moment.js';
import { Dialog } from '../../ui/dialog.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { showToast } from '../../ui/toast.js';
import { BuyQuestion } from './buy-numbers.js';
import { EmptyView } from '../../ui/view.js';
import { useRentText } from './rent-price.js';
import { RentNotice } from './rent-notice.js';
import { NumberState, renewalOf, typeWords } from './number-state.js';
import styles from './numbers.module.css';

const DAY_MS = 86_400_000;

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
        text={
          <>
            Until you have one, your messages come from numbers that several customers share. <Prices /> Your first
            needs a purchase of credits.
          </>
        }
      >
        <Button look="primary" onClick={onBuy}>
          Buy a number
        </Button>
      </EmptyView>
    );
  return (
    <div className={styles.stack}>
      <RentNotice numbers={data?.numbers ?? []} />
      <DataTable
        label="Your numbers"
        columns={[...columns, poolColumn(nameOf)]}
        rows={data?.numbers}
        keyOf={({ number_id: id }) => id}
      />
    </div>
  );
}

/** Prices of each kind, read from numbers for sale; nothing until both are known. */
function Prices() {
  const rentText = useRentText();
  const { data: local } = useQuery(availableNumbersQuery({ country: 'US', type: 'local' }));
  const { data: tollFree } = useQuery(availableNumbersQuery({ country: 'US', type: 'toll_free' }));
  const [rent, tollFreeRent] = [local, tollFree].map((found) => found?.numbers[0]?.credits_per_month);
  if (rent === undefined || tollFreeRent === undefined) return null;
  return `A local number costs ${rentText(rent)}, a toll-free one ${rentText(tollFreeRent)}.`;
}

/** Released numbers of the account, the latest first. */
export function ReleasedNumbers() {
  const { data, error, refetch } = useQuery({ ...numbersQuery('released'), refetchOnMount: 'always' });
  const { data: own } = useQuery(numbersQuery());
  const [again, setAgain] = useState<NumberView>();
  const isOwn = ({ number }: NumberView) => own?.numbers.some((one) => one.number === number) ?? true;
  if (error && !data)
    return <FailureNotice error={error} what="Your numbers could not be loaded." onRetry={() => void refetch()} />;
  if (data?.numbers.length === 0)
    return (
      <EmptyView title="None was released." text="What was written from a released number stays in SMS History." />
    );
  return (
    <>
      <DataTable
        label="Released numbers"
        columns={[...releasedColumns, againColumn(isOwn, setAgain)]}
        rows={data?.numbers}
        keyOf={({ number_id: id }) => id}
      />
      {again && <BuyAgain number={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}

/** Time until which no other account can buy a released number. */
function restsUntil({ released_at: releasedAt, created_at: createdAt }: NumberView): string {
  return new Date(Date.parse(releasedAt ?? createdAt) + limits.numberRestDays * DAY_MS).toISOString();
}

function againColumn(
  isOwn: (number: NumberView) => boolean,
  onChoose: (number: NumberView) => void,
): Column<NumberView> {
  return {
    title: 'Buy again',
    phone: 'state',
    cell: (number) =>
      Date.parse(restsUntil(number)) > Date.now() &&
      number.origin === 'purchase' &&
      !isOwn(number) && <Button onClick={() => onChoose(number)}>Buy again</Button>,
  };
}

interface BuyAgainProps {
  readonly number: NumberView;
  readonly onClose: () => void;
}

/** Buys a released number at the current price of numbers for sale. */
function BuyAgain({ number: { number, type, country, capabilities }, onClose }: BuyAgainProps) {
  const navigate = useNavigate();
  const [instead, setInstead] = useState<AvailableNumberView>();
  const filter = { country: country ?? 'US', type: type ?? 'local' };
  const { data, error, refetch } = useQuery(availableNumbersQuery(filter));
  const [like] = data?.numbers ?? [];
  const forSale = instead ?? (like && { ...like, number, locality: null, capabilities });
  if (!forSale)
    return (
      <Dialog title={`Buy ${shownNumber(number)}?`} onClose={onClose}>
        {error ? (
          <FailureNotice error={error} what="Its price could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <p role="status">{data ? 'No numbers of this kind are for sale now.' : 'Loading...'}</p>
        )}
      </Dialog>
    );
  return (
    <BuyQuestion
      key={forSale.number}
      number={forSale}
      onInstead={setInstead}
      onBought={({ number_id: id, number: bought, credits: price }) => {
        showToast(`You have ${shownNumber(bought)} for ${credits(price)}.`);
        void navigate(numberPath(id));
      }}
      onClose={onClose}
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

const releasedColumns: readonly Column<NumberView>[] = [
  ...columns.filter(({ title }) => title === 'Number' || title === 'Kind'),
  { title: 'State', phone: 'time', cell: renewalCell },
  {
    title: 'Kept for you',
    phone: 'more',
    cell: (number) => (
      <span className={styles.line}>Until {briefDayText(newYorkDay(new Date(restsUntil(number))))}</span>
    ),
  },
];

function renewalCell(number: NumberView) {
  const { title, at } = renewalOf(number) ?? {};
  return (
    <span className={styles.line}>
      {title} {at !== undefined && <Moment at={at} />}
    </span>
  );
}

function kindText({ type, origin }: NumberView): string {
  return origin === 'operator' || type === null ? 'From the operator' : typeWords[type];
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
