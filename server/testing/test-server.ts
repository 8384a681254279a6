import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Config } from '#core/platform/config/config.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { partsOf, type TestCore } from '#core/testing/test-core.js';
import { createServer } from '../create-server.js';

/** The whole server without its port: requests go in at the HTTP adapter. */
export interface TestServer extends Pick<TestCore, 'get' | 'named' | 'close'> {
  readonly app: NestFastifyApplication;
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** POST /api/sendsms with a JSON body. */
  send(body: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** `pagesFolder` holds built pages, where a test needs some. */
export async function createTestServer(config: Config, pagesFolder?: string): Promise<TestServer> {
  const logger = Logger.silent();
  const app = await createServer(config, logger, pagesFolder);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  const inject = async (request: InjectOptions) => app.inject(request);
  return {
    ...partsOf(app),
    app,
    inject,
    send: (body, headers = {}) =>
      inject({
        method: 'POST',
        url: '/api/sendsms',
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify(body),
      }),
  };
}
