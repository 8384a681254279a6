import { createHash } from 'node:crypto';
import { json, startLocalServer, type LocalServer } from '#core/testing/local-server.js';

export interface GooglePerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** Google's token and userinfo endpoints on this machine: takes codes that it gave, with the verifier that belongs to them. */
export class FakeGoogle {
  /** While true, Google takes requests and answers none. */
  isMute = false;
  private readonly codes = new Map<string, { person: object; challenge: string; redirectUri: string }>();

  private constructor(private readonly local: LocalServer) {
    local.answer = (response, request) => {
      if (this.isMute) return;
      if (request.url === '/oauth2/v4/token') {
        const { code = '', code_verifier = '', redirect_uri, client_id, client_secret } = request.form;
        const grant = this.codes.get(code);
        const challenge = createHash('sha256').update(code_verifier).digest('base64url');
        if (
          grant?.challenge !== challenge ||
          grant.redirectUri !== redirect_uri ||
          client_id !== 'client' ||
          client_secret !== 'secret'
        )
          return json(400, { error: 'invalid_grant' })(response, request);
        return json(200, { access_token: code, token_type: 'Bearer', expires_in: 3_599 })(response, request);
      }
      const code =
        request.authorization?.replace('Bearer ', '') ??
        new URL(request.url, local.url).searchParams.get('access_token');
      const grant = this.codes.get(code ?? '');
      return grant ? json(200, grant.person)(response, request) : json(401, { error: 'invalid' })(response, request);
    };
  }

  static async start(): Promise<FakeGoogle> {
    return new FakeGoogle(await startLocalServer());
  }

  /** Variables of the environment that make the product ask this Google. */
  get variables(): Record<string, string> {
    return { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret', GOOGLE_BASE_URL: this.local.url };
  }

  get url(): string {
    return this.local.url;
  }

  /** A person agrees on the page that `/auth/google` led to: answers where Google sends the browser, host left out. */
  agree(authorizeUrl: string, person: object): string {
    const { searchParams } = new URL(authorizeUrl);
    const code = `code-${this.codes.size}`;
    const redirectUri = searchParams.get('redirect_uri') ?? '';
    this.codes.set(code, { person, challenge: searchParams.get('code_challenge') ?? '', redirectUri });
    const { pathname } = new URL(redirectUri);
    return `${pathname}?${new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()}`;
  }

  close(): Promise<void> {
    return this.local.close();
  }
}
