import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runNode } from '../../tools/testkit/program.js';
import { repository } from '../testing/repository.js';

/** A minute each. The plan of a seed is the same every time: a run that fails can be run again by its seed. */
const SEEDS = [2026];
const MINUTES = 1;
/** Includes quiescence: missing receipts are polled once a minute. */
const RUN_WITHIN_MS = 8 * 60_000;

test.describe.configure({ timeout: RUN_WITHIN_MS + 30_000 });

for (const seed of SEEDS) {
  test(`a minute of crashes and faults under load (seed ${seed}) loses, doubles and wrongly charges nothing`, async () => {
    const program = join(repository, 'tools/dev/run.mjs');
    const { code, output, errors } = await runNode(
      program,
      ['chaos', `--minutes=${MINUTES}`, `--seed=${seed}`],
      {},
      RUN_WITHIN_MS,
    );
    console.log(output);
    expect(errors).toBe('');
    expect(output).toContain('0 lost, 0 doubled, 0 mismatches');
    expect(code).toBe(0);
  });
}
