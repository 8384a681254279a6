import { Link } from 'react-router';
import type { LedgerKind, LedgerRow } from '#contract/histories.js';
import { messagePath, paths } from '../../paths.js';
import { type Column, When } from '../../ui/data-table.js';
import { briefDayText } from '../../ui/format.js';
import { PhoneNumber } from '../../ui/phone-number.js';
import styles from './dashboard-parts.module.css';

/** Reasons for which credits move. */
export const kindTitles: Readonly<Record<LedgerKind, string>> = {
  signup: 'Free credits',
  purchase: 'Purchase',
  redeem: 'Redeemed code',
  message: 'Message',
  otp: 'One-time password',
  inbound: 'Received message',
  refund: 'Refund: not delivered',
  chargeback: 'Payment returned',
  adjustment: 'Adjustment',
  number_rent: 'Rent of a number',
  number_setup: 'Set-up of a number',
};

/** Kinds whose source is a message. */
const aboutMessages: ReadonlySet<LedgerKind> = new Set(['message', 'otp', 'refund']);

export const ledgerColumns: readonly Column<LedgerRow>[] = [
  { title: 'Date', phone: 'time', cell: ({ at }, before) => <When at={at} before={before?.at} /> },
  { title: 'Movement', phone: 'title', cell: ({ kind }) => kindTitles[kind] },
  {
    title: 'Credits',
    phone: 'state',
    isNumber: true,
    cell: ({ amount }) => <span className={amount > 0 ? styles.gain : undefined}>{signed(amount)}</span>,
  },
  {
    title: 'Balance',
    phone: 'more',
    isNumber: true,
    cell: ({ balanceAfter }) => balanceAfter.toLocaleString('en-US'),
  },
  { title: 'Details', phone: 'text', cell: detailsOf },
];

/** A received message has no page of its own: the history is searched for it. */
const receivedPath = (messageId: string) =>
  `${paths.dashboardMessages}?${new URLSearchParams({ tab: 'received', text: messageId }).toString()}`;

function detailsOf({ kind, source, note }: LedgerRow) {
  if (aboutMessages.has(kind)) return <Link to={messagePath(source)}>View message</Link>;
  if (kind === 'inbound') return <Link to={receivedPath(source)}>View message</Link>;
  const rent = rentOf(note);
  if (rent)
    return (
      <>
        <PhoneNumber number={rent.number} />, month from {briefDayText(rent.day)}
      </>
    );
  if (note !== null) return <span dir="auto">{note}</span>;
  return (
    <code className={styles.source} title={source}>
      {source}
    </code>
  );
}

/** Parses the note of a rent: '+14155550123, month from 2026-11-28'. */
function rentOf(note: string | null): { number: string; day: string } | undefined {
  const [, number, day] = /^(\+\d+), month from (\d{4}-\d\d-\d\d)$/.exec(note ?? '') ?? [];
  return number === undefined || day === undefined ? undefined : { number, day };
}

/** '+250', '−1': with a real minus sign, as wide as the plus. */
function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'}${Math.abs(amount).toLocaleString('en-US')}`;
}
