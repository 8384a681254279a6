import { Postgres } from '../platform/database/postgres.js';
import type { TestCore } from './test-core.js';

/**
 * Advances this process's clock by `ms` when Postgres has answered the next statement of this name,
 * as if the answer had taken so long. The test restores the clock with `jest.restoreAllMocks`.
 */
export function answersAfter(core: Pick<TestCore, 'get'>, statementName: string, ms: number): void {
  const postgres = core.get(Postgres);
  const query = postgres.query.bind(postgres);
  const now = performance.now.bind(performance);
  let isAwaited = true;
  jest.spyOn(postgres, 'query').mockImplementation(async (statement, values) => {
    const rows = await query(statement, values);
    if (isAwaited && statement.name === statementName) {
      isAwaited = false;
      jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
    }
    return rows;
  });
}
