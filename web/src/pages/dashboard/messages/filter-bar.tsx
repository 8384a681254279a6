import { useId, useState } from 'react';
import { receivedStatuses } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { messageStatuses } from '#contract/messages.js';
import { Button } from '../../../ui/button.js';
import { DayRange } from '../../../dashboard/ui/day-range.js';
import { Select } from '../../../dashboard/ui/select.js';
import { statusWords } from '../../../dashboard/ui/status-label.js';
import styles from './filter-bar.module.css';
import type { HistoryFilters, HistoryName } from './history-filters.js';
import { SearchField } from './search-field.js';

const statuses = { sent: messageStatuses, received: receivedStatuses };

interface FilterBarProps {
  readonly history: HistoryName;
  readonly filters: HistoryFilters;
  readonly onChange: (filters: HistoryFilters) => void;
}

/** What a history can be searched by; on phones behind a button. */
export function FilterBar({ history, filters, onChange }: FilterBarProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { status, number, text, from, to } = filters;
  const count = [status, number, text, from || to].filter(Boolean).length;
  return (
    <div>
      <div className={styles.toggle} data-expanded={isOpen}>
        <Button wide aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </div>
      <search id={id} className={styles.bar} aria-label="Filters">
        <div className={styles.text}>
          <SearchField
            label="Text"
            value={text}
            maxLength={limits.searchCharactersMax}
            onChange={(value) => onChange({ ...filters, text: value })}
          />
        </div>
        <div className={styles.number}>
          <SearchField
            label="Phone number"
            value={number}
            inputMode="tel"
            maxLength={limits.searchedNumberCharactersMax}
            faultOf={(value) => (value === '' || /\d/.test(value) ? undefined : 'A number has digits.')}
            onChange={(value) => onChange({ ...filters, number: value })}
          />
        </div>
        <div className={styles.status}>
          <Select
            label="Status"
            value={status}
            options={[['', 'All'], ...statuses[history].map((one) => [one, statusWords[one]] as const)]}
            onChange={(value) => onChange({ ...filters, status: value })}
          />
        </div>
        <DayRange from={from} to={to} onChange={(days) => onChange({ ...filters, ...days })} />
      </search>
    </div>
  );
}
