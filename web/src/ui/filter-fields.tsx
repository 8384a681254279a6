import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from './button.js';
import { allDays, type Days, daysText, isAll } from './days.js';
import { Field } from './field.js';
import styles from './filter-fields.module.css';
import { IconFilter, IconX } from './line-icons.js';
import { Notice } from './surface.js';

/** An active filter: its text and the function that removes it. */
export interface FilterChip {
  readonly text: string;
  readonly onRemove: () => void;
}

interface FilterBarProps {
  /** The view's search field, if any; always shown. */
  readonly search?: ReactNode;
  /** A search is active. */
  readonly isSearched?: boolean;
  /** Active filters other than the search. */
  readonly chips: readonly FilterChip[];
  /** Sentences about invalid filters of the address. */
  readonly faults?: readonly string[];
  readonly onClear: () => void;
  /** Additional parts of the filter menu, such as saved filters. */
  readonly more?: ReactNode;
  /** Fields of the filter menu, each in a {@link FilterPlace}. */
  readonly children: ReactNode;
}

/** A view's filters: a search field, a button for other fields, and a chip per active filter. */
export function FilterBar({ search, isSearched = false, chips, faults = [], onClear, more, children }: FilterBarProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const line = useRef<HTMLDivElement>(null);
  const focusLine = () => line.current?.querySelector<HTMLElement>('input, button')?.focus();
  const clear = () => {
    onClear();
    focusLine();
  };
  const remove = (chip: FilterChip) => {
    chip.onRemove();
    focusLine();
  };
  const hasChips = chips.length > 0 || isSearched || faults.length > 0;
  return (
    <search className={styles.filters} aria-label="Filters">
      <div ref={line} className={styles.line}>
        {search !== undefined && <div className={styles.search}>{search}</div>}
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <IconFilter size={18} aria-hidden="true" />
          Filter
        </Button>
      </div>
      <div id={id} className={styles.fields} hidden={!isOpen}>
        {children}
        {more !== undefined && <div className={styles.more}>{more}</div>}
      </div>
      {hasChips && (
        <ul className={styles.chips} aria-label="Filters that are set">
          {chips.map((chip) => (
            <li key={chip.text}>
              <button type="button" className={styles.chip} onClick={() => remove(chip)}>
                <span className="visually-hidden">Remove the filter </span>
                <bdi>{chip.text}</bdi>
                <IconX size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
          <li>
            <button type="button" className={styles.clear} onClick={clear}>
              Clear filters
            </button>
          </li>
        </ul>
      )}
      {faults.length > 0 && (
        <Notice kind="bad" role="status">
          Part of this address was left out. {faults.join(' ')}
        </Notice>
      )}
    </search>
  );
}

/** A field of the filter menu. */
export function FilterPlace({ children }: { children: ReactNode }) {
  return <div className={styles.usual}>{children}</div>;
}

/**
 * The chip of a chosen option; empty while no option is chosen. `options` name the values; other
 * values name themselves.
 */
export function chipOf(
  name: string,
  value: string,
  options: readonly (readonly [value: string, title: string])[],
  onRemove: () => void,
): readonly FilterChip[] {
  if (value === '') return [];
  const title = options.find(([option]) => option === value)?.[1] ?? value;
  return [{ text: `${name}: ${title}`, onRemove }];
}

/** The chip of chosen days; empty for all days. */
export function chipOfDays(days: Days, onRemove: (all: Days) => void): readonly FilterChip[] {
  return isAll(days) ? [] : [{ text: daysText(days), onRemove: () => onRemove(allDays) }];
}

/** Pause in typing after which the search starts. */
const PAUSE_MS = 300;

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'name' | 'inputMode' | 'maxLength' | 'placeholder'> {
  readonly label: string;
  readonly value: string;
  /** Error of the last reported value. */
  readonly fault?: string | undefined;
  /** Returns why a text cannot be searched for; undefined when it can. */
  readonly faultOf?: (text: string) => string | undefined;
  /** Called with a searchable text once typing pauses. */
  readonly onChange: (value: string) => void;
}

/**
 * A search field: the search follows the typing, and the field follows outside changes of the
 * address.
 */
export function SearchField({ value, fault: reportedFault, faultOf, onChange, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [reported, setReported] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== reported) {
      setTyped(value);
      setReported(value);
    }
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
      fault={fault ?? reportedFault}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
