import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react';
import { Field } from '../../../ui/field.js';

/** Whoever stops typing for so long wants to see something. */
const PAUSE_MS = 300;

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'inputMode' | 'maxLength'> {
  readonly label: string;
  readonly value: string;
  /** What is wrong with a text; undefined when it can be searched for. */
  readonly faultOf?: (text: string) => string | undefined;
  /** Told of what can be searched for, once the typing pauses. */
  readonly onChange: (value: string) => void;
}

/** A line to search by: the search follows the typing, and the line follows an address that changes by itself. */
export function SearchField({ value, faultOf, onChange, ...field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [told, setTold] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (value !== told) setTyped(value);
  }
  const fault = faultOf?.(typed);
  const tell = useEffectEvent((text: string) => {
    setTold(text);
    onChange(text);
  });
  const isNews = typed !== value && fault === undefined;
  useEffect(() => {
    if (!isNews) return;
    const timer = window.setTimeout(() => tell(typed), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, isNews]);
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
