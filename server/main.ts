import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { keepHeapLean, stopOnSignals, explainStartFailure } from '#core/platform/health/lifecycle.js';
import { checkDatabase } from '#core/platform/database/data-source.js';
import { createServer } from './create-server.js';

/** The built web app, relative to this file in dist. */
const pages = fileURLToPath(new URL('../web/client', import.meta.url));

keepHeapLean();
try {
  const config = new Config(loadEnv());
  await checkDatabase(config.database);
  const logger = new Logger({ name: 'server', ...config.log });
  const app = await createServer(config, logger, existsSync(pages) ? pages : undefined);
  stopOnSignals(app);
  await app.listen(config.http.port, config.http.host);
  logger.info({ port: config.http.port }, 'server listens');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exit(1);
}
