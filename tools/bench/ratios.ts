import type { Figure, Goal } from './figure.js';

/** One figure divided by another. */
export interface Ratio {
  readonly of: string;
  readonly by: string;
  readonly value: number;
  readonly goal?: Goal | undefined;
}

const acceptOne = 'accept: 1 account';
const kannel = 'peers: Kannel';
const kannelWithReceipts = 'peers: Kannel with receipts';

/** The figure divided, the figure it is divided by, and the goal. */
const wanted: readonly (readonly [of: string, by: string, goal?: Goal])[] = [
  ['accept: 1 account, rate limits on', acceptOne],
  ['cost: acceptance', 'cost: empty handler', { below: 5 }],
  ['cost: whole lifecycle', 'cost: empty handler', { below: 15 }],
  ['cost: acceptance', 'cost: acceptance, one carrier', { below: 1.05 }],
  ['cost: whole lifecycle', 'cost: whole lifecycle, one carrier', { below: 1.05 }],
  ['otp: sendotp', 'accept: 100 accounts'],
  ['scaling: two workers, instant carrier', 'scaling: one worker, instant carrier', { atLeast: 1.6 }],
  [
    'scaling: two workers, carrier that takes 100 ms',
    'scaling: one worker, carrier that takes 100 ms',
    { atLeast: 1.9 },
  ],
  ['carrier: instant carrier', acceptOne],
  ['smpp: one worker', 'smpp: Kannel’s bearerbox'],
  ['peers: acceptance', kannel, { atLeast: 0.7 }],
  ['peers: acceptance while dispatching', kannel, { atLeast: 0.7 }],
  ['peers: acceptance while dispatching', kannelWithReceipts, { atLeast: 3 }],
  ['bulk: messages in bulks', 'bulk: single sends', { atLeast: 3 }],
  ['bulk: messages in bulks', kannel, { atLeast: 3 }],
  ['peers: CPU of a message', 'peers: CPU of a message, Kannel'],
  ['peers: CPU of a message', 'peers: CPU of a message, Kannel with receipts', { below: 1 / 3 }],
];

/** Ratios between figures of one run, then each figure to the other checkout's (`before`). */
export function ratiosOf(figures: readonly Figure[]): Ratio[] {
  const values = new Map(figures.map(({ part, name, build, value }) => [keyOf(part, name, build), value]));
  const before = figures
    .filter(({ build }) => build === 'before')
    .map(({ part, name }) => [keyOf(part, name), keyOf(part, name, 'before')] as const);
  return [...wanted, ...before].flatMap(([of, by, goal]) => {
    const [above, below] = [values.get(of), values.get(by)];
    return above === undefined || below === undefined ? [] : [{ of, by, value: above / below, goal }];
  });
}

function keyOf(part: string, name: string, build?: Figure['build']): string {
  return `${part}: ${name}${build === 'before' ? ' (before)' : ''}`;
}
