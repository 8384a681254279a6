import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { Config } from '#core/platform/config/config.js';
import { CustomSignInController, PasswordController } from './custom-sign-in.controller.js';
import { GoogleController, GoogleState, GoogleStrategy } from './google.controller.js';
import { SessionController } from './session.controller.js';
import { DeviceCookie, SessionCookie } from './session.guard.js';
import { SignInLimits } from '../http/rate-limits.js';

/** Sign-up, sign-in and sign-out. */
@Module({
  imports: [AccountsModule],
  controllers: [SessionController, GoogleController, CustomSignInController, PasswordController],
  providers: [
    SessionCookie,
    DeviceCookie,
    SignInLimits,
    GoogleState,
    {
      provide: GoogleStrategy,
      inject: [Config, GoogleState],
      useFactory: ({ signIn: { google }, http }: Config, state: GoogleState) =>
        google && new GoogleStrategy(google, http.publicUrl, state),
    },
  ],
})
export class AuthModule {}
