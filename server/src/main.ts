import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '#core/config/config.js';
import { loadEnv } from '#core/config/env.js';
import { createLogger } from '#core/logging/logger.js';
import { keepHeapLean } from '#core/config/lean-heap.js';
import { checkDatabase } from '#core/database/check-database.js';
import { stopOnSignals } from '#core/health/stop-on-signals.js';
import { explainStartFailure } from '#core/logging/start-failure.js';
import { createServer } from './create-server.js';

/** Where the web app is built to, seen from this file in dist. */
const pages = fileURLToPath(new URL('../../web/client', import.meta.url));

keepHeapLean();
try {
  const config = new Config(loadEnv());
  await checkDatabase(config.database);
  const logger = createLogger({ name: 'server', ...config.log });
  const app = await createServer(config, logger, existsSync(pages) ? pages : undefined);
  stopOnSignals(app);
  await app.listen(config.http.port, config.http.host);
  logger.info({ port: config.http.port }, 'server listens');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exit(1);
}
