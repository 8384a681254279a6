import type { NumberCapability, NumberStatus, NumberType, NumberView } from '#contract/numbers.js';
import { Moment } from '../../ui/moment.js';
import styles from './numbers.module.css';

export const typeWords: Readonly<Record<NumberType, string>> = { local: 'Local', toll_free: 'Toll-free' };

const capabilityWords: Readonly<Record<NumberCapability, string>> = { sms: 'SMS', mms: 'MMS', voice: 'Calls' };

/** 'SMS, MMS'. Calls are left out: the service does not take any. */
export function capabilitiesText(capabilities: readonly NumberCapability[]): string {
  return capabilities
    .filter((one) => one !== 'voice')
    .map((one) => capabilityWords[one])
    .join(', ');
}

const words: Readonly<Record<NumberStatus, string>> = {
  reserving: 'Being bought',
  active: 'Active',
  past_due: 'Rent due',
  releasing: 'Being released',
  released: 'Released',
};

/** The state of a number as a word and a shape; one that carriers filter is shown as such. */
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

/** When the number's next rent is taken, or when the number goes. */
export function Renewal({ number }: { readonly number: NumberView }) {
  const { origin, status, auto_renew: isRenewed, renews_at: renewsAt, releases_at: releasesAt } = number;
  if (origin === 'operator') return <>No rent</>;
  if (status === 'released' && number.released_at !== null)
    return (
      <>
        Released <Moment at={number.released_at} />
      </>
    );
  if (releasesAt !== null)
    return (
      <>
        Released on <Moment at={releasesAt} /> unless the rent is paid
      </>
    );
  if (renewsAt === null) return <>Not yet</>;
  return (
    <>
      {isRenewed ? 'Renews' : 'Released'} <Moment at={renewsAt} />
    </>
  );
}
