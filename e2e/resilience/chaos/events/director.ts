import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../dice.js';
import type { Run } from '../run.js';
import { faultsOf, inTurn, restartsOf, type Disturbance } from './disturbances.js';

const calmMs = { least: 500, most: 2_500 };
const twoAtOncePercent = 25;

/**
 * Injects faults until `untilMs`: first ends each kind of process in both ways, then random faults,
 * sometimes two at a time. All parts run again when it resolves.
 */
export async function disturb(run: Run, untilMs: number, say: (text: string) => void): Promise<void> {
  // Separate dice, so that the load does not change the plan.
  const dice = new Dice(run.seed);
  const happen = async (one: Disturbance) => {
    say(`${one.title} (${one.hits.join(', ')})`);
    run.tally.event(one.title);
    await one.happen();
  };
  // No fault may be left out of a short run, although a busy machine takes longer for each.
  for (const one of inTurn(run, dice)) {
    await happen(one);
    await pause(dice.between(calmMs.least, calmMs.most));
  }
  for (const some of togetherOf(run, dice)) {
    if (Date.now() > untilMs) return;
    await Promise.all(some.map(happen));
    await pause(dice.between(calmMs.least, calmMs.most));
  }
}

/** Yields all elements in random order, again and again, so that none is left out by chance. */
function* togetherOf(run: Run, dice: Dice): Generator<Disturbance[]> {
  for (;;) {
    const line = dice.shuffled([...restartsOf(run, dice), ...faultsOf(run, dice)]);
    for (let first = line.shift(); first !== undefined; first = line.shift()) {
      const [second] = line;
      const isApart = second?.hits.every((part) => !first.hits.includes(part)) ?? false;
      const isPair = isApart && dice.percent(twoAtOncePercent);
      yield isPair ? [first, ...line.splice(0, 1)] : [first];
    }
  }
}
