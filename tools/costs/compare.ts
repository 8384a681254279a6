import { z } from 'zod';
import type { Figures } from './figures.js';

const costs = z.object({
  /** Reasons of rises, each with the change that caused it; the newest last. */
  reasons: z.array(z.string()),
  /** Figures of one message, by scenario. */
  scenarios: z.record(z.string(), z.record(z.string(), z.number())),
});

/** The committed costs: docs/costs.json. */
export type Costs = z.infer<typeof costs>;

export function readCosts(text: string): Costs {
  return costs.parse(JSON.parse(text));
}

/** A figure that is not as committed. */
export interface Difference {
  readonly scenario: string;
  readonly figure: string;
  /** 0 for a figure that is new or gone. */
  readonly committed: number;
  readonly measured: number;
}

/**
 * Shares by which a figure may vary from run to run. Bytes include texts of varying length, and BullMQ's commands
 * for one job depend on when a worker asks for it. The sizes of batches, of messages that come together, depend
 * on the machine: a busy one needs up to twice the statements, a fraction of one for each message. Allocation
 * includes what libraries and the engine do now and then.
 */
const tolerances: readonly (readonly [RegExp, number])[] = [
  [/^redis /, 0.1],
  [/ bytes$/, 0.02],
];
const tolerancesTogether: readonly (readonly [RegExp, number])[] = [
  [/^log bytes of pages$/, 1],
  [/^(statements|redis .*|jobs)$/, 1],
  [/^(allocated .*|rows|log .*)$/, 0.1],
];

function toleranceOf(scenario: string, figure: string): number {
  const known = /\b(together|bulk)\b/.test(scenario) ? tolerancesTogether : tolerances;
  return known.find(([names]) => names.test(figure))?.[1] ?? 0;
}

/** The figures that differ by more than their tolerance, in the order of scenarios and figures. */
export function differences(committed: Costs['scenarios'], measured: Readonly<Record<string, Figures>>): Difference[] {
  return unionOf(committed, measured).flatMap((scenario) => {
    const [before = {}, now = {}] = [committed[scenario], measured[scenario]];
    return unionOf(before, now)
      .map((figure) => ({ scenario, figure, committed: before[figure] ?? 0, measured: now[figure] ?? 0 }))
      .filter((one) => {
        const most = 1 + toleranceOf(scenario, one.figure);
        return one.measured > one.committed * most || one.measured < one.committed / most;
      });
  });
}

const unionOf = (one: object, other: object) => [...new Set([...Object.keys(one), ...Object.keys(other)])];

/** A single statement, table or PDU may take the place of another: only the sums tell. */
export const hasRisen = ({ figure, committed, measured }: Difference): boolean =>
  measured > committed && !/^(statement|row|pdu) /.test(figure);

export function lineOf({ scenario, figure, committed, measured }: Difference): string {
  return `${scenario}: ${figure}: ${committed} → ${measured}`;
}
