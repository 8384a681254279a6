import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from './button.js';
import { Field } from './field.js';
import styles from './filter-fields.module.css';
import { Notice } from './surface.js';

interface FilterBarProps {
  /** How many filters are set. */
  readonly count: number;
  /** What the address has that is no filter, each as a sentence. */
  readonly faults?: readonly string[];
  readonly onClear: () => void;
  /** What else belongs beside the filters, such as saved ones. */
  readonly more?: ReactNode;
  /** Fields, each in a {@link FilterPlace}. */
  readonly children: ReactNode;
}

/** The filters of a view; behind a button on phones. */
export function FilterBar({ count, faults = [], onClear, more, children }: FilterBarProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLElement>(null);
  const clear = () => {
    onClear();
    focusFirstIn(bar.current, toggle.current);
  };
  return (
    <div className={styles.filters}>
      <div ref={toggle} className={styles.toggle}>
        <Button wide aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      </div>
      <div className={styles.row} data-expanded={isOpen}>
        <search ref={bar} id={id} className={styles.bar} aria-label="Filters">
          {children}
          {more !== undefined && <div className={styles.more}>{more}</div>}
        </search>
        {(count > 0 || faults.length > 0) && (
          <div className={styles.clear}>
            <Button wide onClick={clear}>
              Clear filters
            </Button>
          </div>
        )}
      </div>
      {faults.length > 0 && (
        <Notice kind="bad" role="status">
          Part of this address was left out. {faults.join(' ')}
        </Notice>
      )}
    </div>
  );
}

/** Focuses the first control of these elements that is shown: the fields may be behind their button. */
function focusFirstIn(...elements: readonly (HTMLElement | null)[]): void {
  const controls = elements.map((element) => element?.querySelector<HTMLElement>('input, select, button'));
  controls.find((control) => control?.checkVisibility())?.focus();
}

/** A field of a bar; `wide` takes the room that is left. */
export function FilterPlace({ width = 'usual', children }: { width?: 'usual' | 'wide'; children: ReactNode }) {
  return <div className={styles[width]}>{children}</div>;
}

/** Searches after a pause of this length. */
const PAUSE_MS = 300;

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'name' | 'inputMode' | 'maxLength' | 'placeholder'> {
  readonly label: string;
  readonly value: string;
  /** What is wrong with the value that was reported. */
  readonly fault?: string | undefined;
  /** Why a text cannot be searched for; undefined when it can. */
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
