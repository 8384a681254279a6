import { useQuery } from '@tanstack/react-query';
import type { NumberView } from '#contract/numbers.js';
import { numbersQuery, poolsQuery } from '../../api/numbers.js';
import { Fault, Select } from '../../ui/field.js';
import { shownNumber } from '../../ui/phone-numbers.js';

const BY_ITSELF = 'Automatic';
const BY_ITSELF_HINT = 'The number they know, else your default pool, else a shared one.';

interface SenderChoiceProps {
  /** A number, or the id of a pool; '' for the best sender. */
  readonly from: string;
  readonly fault: string | undefined;
  readonly onChange: (from: string) => void;
}

/** Chooses the sender among the account's numbers and pools; hidden when there are none. */
export function SenderChoice({ from, fault, onChange }: SenderChoiceProps) {
  const { data: own } = useQuery(numbersQuery());
  const { data: pooled } = useQuery(poolsQuery);
  const numbers = (own?.numbers ?? []).filter(isUsable).map((number) => [number.number, nameOf(number)] as const);
  const pools = (pooled?.pools ?? []).map(({ pool_id: id, name }) => [id, `Pool: ${name}`] as const);
  const options = [['', BY_ITSELF] as const, ...numbers, ...pools];
  // A sender that another view named may no longer exist.
  const isKnown = options.some(([value]) => value === from);
  if (options.length === 1 && isKnown) return null;
  return (
    <div>
      <Select
        label="From"
        value={from}
        options={isKnown ? options : [...options, [from, shownNumber(from)] as const]}
        hint={from === '' ? BY_ITSELF_HINT : undefined}
        onChange={onChange}
      />
      {fault !== undefined && <Fault role="alert">{fault}</Fault>}
    </div>
  );
}

function isUsable({ status }: NumberView): boolean {
  return status === 'active' || status === 'past_due';
}

function nameOf({ number, label }: NumberView): string {
  return label === null ? shownNumber(number) : `${shownNumber(number)} (${label})`;
}
