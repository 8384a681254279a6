import { Config } from '../config/config.js';
import { loadEnv } from '../config/env.js';
import { createLogger } from '../telemetry/logger.js';
import { explainStartFailure } from '../telemetry/start-failure.js';
import { migrate } from './data-source.js';

try {
  const config = new Config(loadEnv());
  const applied = await migrate(config.database);
  createLogger({ name: 'migrate', ...config.log }).info({ applied }, 'database is up to date');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exitCode = 1;
}
