import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runNode } from '../../tools/testkit/program.js';
import { repository } from '../testing/repository.js';

/** The plan of a seed is the same every time: a run that fails can be run again by its seed. */
const SEED = 2026;
const MINUTES = 0.4;
/** Each kind of process is killed, however short the run is. */
const KILLED = ['server', 'worker', 'redis', 'postgres'];
/**
 * The time includes quiescence: the carrier is asked for missing receipts and replies every ten
 * seconds.
 */
const RUN_WITHIN_MS = 8 * 60_000;

test('crashes and faults under load lose, double and wrongly charge nothing', async () => {
  test.setTimeout(RUN_WITHIN_MS + 30_000);
  const program = join(repository, 'tools/dev/run.mjs');
  const args = ['chaos', `--minutes=${MINUTES}`, `--seed=${SEED}`];
  const { code, output, errors } = await runNode(program, args, {}, RUN_WITHIN_MS);
  console.log(output);
  expect(errors).toBe('');
  for (const name of KILLED) expect(output).toMatch(new RegExp(`\\d  ${name} ended by (kill -9|SIGQUIT)`));
  expect(output).toContain('0 lost, 0 doubled, 0 mismatches');
  expect(code).toBe(0);
});
