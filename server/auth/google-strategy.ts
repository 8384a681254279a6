import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy, type StrategyOptions } from 'passport-google-oauth20';
import { z } from 'zod';
import { signInMessages } from '#contract/sign-in.js';
import { Config } from '#core/platform/config/config.js';
import { GoogleProfile } from '#core/accounts/sign-in/sign-in.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { GoogleState } from './google-state.js';

export const GOOGLE_TIMEOUT_MS = 8_000;

/**
 * The fields that we use of Google's userinfo (OpenID Connect Core, section 5.1), as the strategy
 * maps them.
 */
const profileFields = z.object({
  id: z.string().min(1).max(255),
  emails: z.tuple([z.object({ value: z.email().max(254), verified: z.boolean().default(false) })]),
  displayName: z.string().default(''),
});

/** OAuth 2.0 with Google, or with the same paths below another base URL. */
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
      // The published types describe the store only without PKCE.
      store: state as unknown as NonNullable<StrategyOptions['store']>,
      ...(baseUrl && {
        authorizationURL: `${baseUrl}/o/oauth2/v2/auth`,
        tokenURL: `${baseUrl}/oauth2/v4/token`,
        userProfileURL: `${baseUrl}/oauth2/v3/userinfo`,
      }),
    });
  }

  validate(_accessToken: string, _refreshToken: string, profile: Profile): GoogleProfile {
    const parsed = profileFields.safeParse(profile);
    if (!parsed.success)
      throw new DomainError('sign_in_failed', signInMessages.incompleteProfile, { cause: parsed.error });
    const { id, emails, displayName } = parsed.data;
    return { subject: id, email: emails[0].value, emailVerified: emails[0].verified, displayName };
  }
}
