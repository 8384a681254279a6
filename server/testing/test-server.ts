import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Config } from '#core/platform/config/config.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { sentOtp } from '#core/testing/sent-otp.js';
import { partsOf, type TestCore } from '#core/testing/test-core.js';
import { createServer } from '../create-server.js';

/** The complete server without a port: requests are injected into the HTTP adapter. */
export interface TestServer extends Pick<TestCore, 'get' | 'named' | 'close'> {
  readonly app: NestFastifyApplication;
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** POST /api/sendsms with a JSON body. */
  send(body: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** `pagesFolder` contains built pages, if the test needs any. */
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

type Headers = Record<string, string>;

/** Sends and verifies one-time passwords like a customer's program. */
export class OtpCalls {
  constructor(private readonly server: TestServer) {}

  send(body: object, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.post('/api/sendotp', body, headers);
  }

  resend(body: object, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.post('/api/resendotp', body, headers);
  }

  verify(body: object, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.post('/api/verifyotp', body, headers);
  }

  /** Verifies with `Accept: application/json`. */
  async verdict(body: object): Promise<{ status: string; expires_at?: string; attempts_left?: number }> {
    return (await this.verify(body, { accept: 'application/json' })).json();
  }

  form(
    url: '/api/sendotp' | '/api/verifyotp',
    payload: string,
    headers: Headers = {},
  ): Promise<LightMyRequestResponse> {
    return this.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    });
  }

  /** Sends a code and returns it. */
  async codeOf(body: object): Promise<string> {
    const answer = await this.send(body);
    if (answer.statusCode !== 200) throw new Error(`No code was sent: ${answer.body}`);
    return sentOtp(this.server, answer.json<{ message_id: string }>().message_id);
  }

  private post(url: string, body: object, headers: Headers): Promise<LightMyRequestResponse> {
    return this.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  }
}
