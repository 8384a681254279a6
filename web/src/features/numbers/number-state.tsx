import type { NumberCapability, NumberStatus, NumberType, NumberView } from '#contract/numbers.js';
import styles from './numbers.module.css';

export const typeWords: Readonly<Record<NumberType, string>> = { local: 'Local', toll_free: 'Toll-free' };

const capabilityWords: Readonly<Record<NumberCapability, string>> = { sms: 'SMS', mms: 'MMS' };

/** 'SMS, MMS'. */
export function capabilitiesText(capabilities: readonly NumberCapability[]): string {
  return capabilities.map((one) => capabilityWords[one]).join(', ');
}

const words: Readonly<Record<NumberStatus, string>> = {
  reserving: 'Being bought',
  active: 'Active',
  past_due: 'Rent due',
  releasing: 'Being released',
  released: 'Released',
};

/** The state of a number as a word and a shape; also marks numbers that carriers filter. */
export function NumberState({ status, filtered_at: filteredAt }: Pick<NumberView, 'status' | 'filtered_at'>) {
  const isFiltered = filteredAt !== null && (status === 'active' || status === 'past_due');
  const look = isFiltered ? 'filtered' : status;
  return (
    <span className={styles.state}>
      <svg className={`${styles.shape} ${styles[look]}`} width={14} height={14} viewBox="0 0 16 16" aria-hidden="true">
        {shapes[look]}
      </svg>
      {isFiltered ? 'Filtered' : words[status]}
    </span>
  );
}

const shapes: Readonly<Record<NumberStatus | 'filtered', React.ReactNode>> = {
  reserving: <circle cx={8} cy={8} r={6} strokeDasharray="3 3" />,
  active: (
    <>
      <circle cx={8} cy={8} r={7} fill="currentColor" stroke="none" />
      <path d="m4.8 8.2 2.2 2.2 4.2-4.6" stroke="var(--surface)" />
    </>
  ),
  past_due: <path d="M8 2 14.5 13.5h-13z" />,
  filtered: <path d="M2 3h12l-4.5 5.5V13l-3-1.5v-3z" />,
  releasing: (
    <>
      <circle cx={8} cy={8} r={6} />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  released: <path d="M2.5 8h11" />,
};

/**
 * The next or last event of the number, and its time; undefined when no time is known, as for a
 * number of the operator.
 */
export function renewalOf(number: NumberView): { readonly title: string; readonly at: string } | undefined {
  const { status, auto_renew: isRenewed, renews_at: renewsAt, releases_at: releasesAt } = number;
  const of = (title: string, at: string | null) => (at === null ? undefined : { title, at });
  switch (status) {
    case 'released':
      return of('Released', number.released_at);
    case 'past_due':
      return of('Rent due by', releasesAt);
    case 'active':
      return isRenewed ? of('Renews', renewsAt) : of('Ends', renewsAt);
    case 'reserving':
    case 'releasing':
      return undefined;
  }
}
