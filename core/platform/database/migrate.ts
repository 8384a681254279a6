import { parseArgs } from 'node:util';
import { EnvironmentError } from '../config/env.js';
import { startProgram } from '../process/lifecycle.js';
import { distribute } from '../citus/distribute.js';
import { migrate } from './data-source.js';

const GROUPS_OF_SHARDS = '32';

await startProgram('migrate', async (config, logger) => {
  const { values } = parseArgs({
    options: { distribute: { type: 'boolean', default: false }, shards: { type: 'string', default: GROUPS_OF_SHARDS } },
  });
  if (!/^[1-9]\d{0,3}$/.test(values.shards))
    throw new EnvironmentError('--shards must be a whole number from 1 to 9999.');
  const { migrationUrl: url, waitMs } = config.database;
  const applied = await migrate({ url, waitMs });
  logger.info({ applied }, 'database is up to date');
  if (values.distribute) {
    const onTable = (table: string) => logger.info({ table }, 'table distributed');
    await distribute({ url, shards: Number(values.shards), onTable });
    logger.info({}, 'database is distributed');
  }
});
