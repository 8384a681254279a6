import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keepHeapLean, startProgram, stopOnSignals } from '#core/platform/process/lifecycle.js';
import { HashSecretCheck } from '#core/keys/hash-secret-check.js';
import { checkDatabase } from '#core/platform/database/data-source.js';
import { createServer } from './create-server.js';

/** The built web app, relative to this file in dist. */
const pages = fileURLToPath(new URL('../web/client', import.meta.url));

keepHeapLean();
await startProgram('server', async (config, logger) => {
  await checkDatabase(config.database, logger);
  const app = await createServer(config, logger, existsSync(pages) ? pages : undefined);
  await app.get(HashSecretCheck, { strict: false }).run();
  stopOnSignals(app);
  await app.listen(config.http.port, config.http.host);
  logger.info({ host: config.http.host, port: config.http.port }, 'server listens');
});
