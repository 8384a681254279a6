import { PassportStrategy } from '@nestjs/passport';
import { Strategy, type Profile, type StrategyOptions } from 'passport-google-oauth20';
import { z } from 'zod';
import type { GoogleProfile } from '#core/accounts/sign-in/sign-in-with-google.js';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { GoogleState } from './google-state.js';

/** What the strategy makes of Google's userinfo (OpenID Connect Core, section 5.1), as far as we use it. */
const knownProfile = z.object({
  id: z.string().min(1).max(255),
  emails: z.tuple([z.object({ value: z.email().max(254), verified: z.boolean().default(false) })]),
  displayName: z.string().default(''),
});

/** Google's side of a sign-in. Its paths are the strategy's own, below Google's hosts or below another base URL. */
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  constructor(
    { clientId, clientSecret, baseUrl }: NonNullable<Config['signIn']['google']>,
    publicUrl: string,
    state: GoogleState,
  ) {
    super({
      clientID: clientId,
      clientSecret,
      callbackURL: `${publicUrl}/auth/google/callback`,
      scope: ['openid', 'email', 'profile'],
      pkce: true,
      state: true,
      // The published types know the store's form without PKCE only.
      store: state as unknown as NonNullable<StrategyOptions['store']>,
      ...(baseUrl && {
        authorizationURL: `${baseUrl}/o/oauth2/v2/auth`,
        tokenURL: `${baseUrl}/oauth2/v4/token`,
        userProfileURL: `${baseUrl}/oauth2/v3/userinfo`,
      }),
    });
  }

  validate(_accessToken: string, _refreshToken: string, profile: Profile): GoogleProfile {
    const parsed = knownProfile.safeParse(profile);
    if (!parsed.success)
      throw new DomainError('sign_in_failed', 'Google did not say who you are.', { cause: parsed.error });
    const { id, emails, displayName } = parsed.data;
    return { subject: id, email: emails[0].value, emailVerified: emails[0].verified, displayName };
  }
}
