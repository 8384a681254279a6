import type { LightMyRequestResponse } from 'fastify';
import { sentOtp } from '#core/testing/sent-otp.js';
import type { TestServer } from './test-server.js';

type Headers = Record<string, string>;

/** What a customer's program does with one-time passwords, over one server. */
export class OtpCalls {
  constructor(private readonly server: TestServer) {}

  send(body: object, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.post('/api/sendotp', body, headers);
  }

  verify(body: object, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.post('/api/verifyotp', body, headers);
  }

  /** As `Accept: application/json` has it. */
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

  /** Sends one, and answers the code that it brings. */
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
