import type { Bench } from '../bench.js';
import { measureLongQueue } from './long-queue.js';
import { measureWorkers } from './workers.js';

/** What a second worker brings, and whether a very long queue costs memory or time. */
export async function measureScaling(bench: Bench): Promise<void> {
  await measureWorkers(bench, 'instant carrier', 0);
  await measureWorkers(bench, 'carrier that takes 100 ms', 100);
  await measureLongQueue(bench);
}
