import { Config } from '../config/config.js';
import { loadEnv } from '../config/env.js';
import { Logger } from '../telemetry/logger.js';
import { explainStartFailure } from '../health/lifecycle.js';
import { migrate } from './data-source.js';

try {
  const config = new Config(loadEnv());
  const applied = await migrate(config.database);
  new Logger({ name: 'migrate', ...config.log }).info({ applied }, 'database is up to date');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exitCode = 1;
}
