import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { knownStatement } from './conversation-owners.repository.js';

const CONVERSATIONS = 5_000;
const QUESTIONS = 100;
/** Blocks that the lookups of one question may touch: key, account, credits, conversation, owners. */
const BLOCKS_MAX = 25;

describe('ConversationOwnersRepository', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  it('finds the conversations of a bulk by their keys, also with a plan from when there were none', async () => {
    const account = await createTestAccount(core);
    await bed.database.sql('ALTER TABLE conversations SET (autovacuum_enabled = false)');
    const hash = core.get(ApiKeys).parse(account.apiKey).hash.toString('hex');
    const recipients = Array.from({ length: QUESTIONS }, (_, n) => `+1415${2_000_001 + 7 * n}`);
    const values = `'{${recipients.map(() => String.raw`"\\x${hash}"`).join()}}', '{${recipients.join()}}', 72`;
    const connection = await bed.database.connect();
    try {
      await connection.query(`SET plan_cache_mode = force_generic_plan`);
      await connection.query(`PREPARE known (bytea[], text[], integer) AS ${knownStatement.text}`);
      await connection.query(`EXECUTE known (${values})`);
      await bed.database.sql(
        `INSERT INTO conversations (account_id, recipient, sender)
           SELECT $1, '+1415' || (2000000 + n), '+15005550001' FROM generate_series(1, ${CONVERSATIONS}) n`,
        [account.id],
      );
      const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE known (${values})`,
      );
      expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(BLOCKS_MAX * QUESTIONS);
      const known = await connection.query<{ sender: string }>(`EXECUTE known (${values})`);
      expect(new Set(known.rows.map(({ sender }) => sender))).toEqual(new Set(['+15005550001']));
    } finally {
      await connection.end();
    }
  });
});
