import { type ComponentProps, useEffect, useEffectEvent, useId, useState } from 'react';
import { receivedStatuses } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { messageStatuses } from '#contract/messages.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { DayRange, Select } from '../../ui/filter-fields.js';
import { statusWords } from '../dashboard/status-label.js';
import type { HistoryFilters, HistoryName } from './history-filters.js';
import styles from './history.module.css';

const statuses = { sent: messageStatuses, received: receivedStatuses };

interface FilterBarProps {
  readonly history: HistoryName;
  readonly filters: HistoryFilters;
  readonly onChange: (filters: HistoryFilters) => void;
}

/** The filters of a history; behind a button on phones. */
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
            faultOf={(value) => (value === '' || /\d/.test(value) ? undefined : 'Enter at least one digit.')}
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

/** Searches after a pause of this length. */
const PAUSE_MS = 300;

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'inputMode' | 'maxLength'> {
  readonly label: string;
  readonly value: string;
  /** Why a text cannot be searched for; undefined when it can. */
  readonly faultOf?: (text: string) => string | undefined;
  /** Called with a searchable text once typing pauses. */
  readonly onChange: (value: string) => void;
}

/** A search field: the search follows the typing, and the field follows outside changes of the address. */
function SearchField({ value, faultOf, onChange, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [reported, setReported] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== reported) setTyped(value);
  }
  const fault = faultOf?.(typed);
  const report = useEffectEvent((text: string) => {
    setReported(text);
    onChange(text);
  });
  const isChanged = typed !== value && fault === undefined;
  useEffect(() => {
    if (!isChanged) return;
    const timer = window.setTimeout(() => report(typed), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, isChanged]);
  return (
    <Field
      {...field}
      type="search"
      autoComplete="off"
      spellCheck={false}
      fault={fault}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
