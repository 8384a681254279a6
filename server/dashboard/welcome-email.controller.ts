import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { welcomeEmailBody, type WelcomeEmailAnswer, type WelcomeEmailBody } from '#contract/welcome-email.js';
import { SendWelcome } from '#core/accounts/send-welcome.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** POST /api/welcomeemail: to the session's own address, once. */
@Controller('api/welcomeemail')
@UseGuards(SessionGuard)
export class WelcomeEmailController {
  constructor(private readonly sendWelcome: SendWelcome) {}

  @Post()
  @HttpCode(200)
  async send(
    @SignedIn() { accountId, email, displayName }: SessionAccount,
    @Body(new ContractPipe(welcomeEmailBody)) { to }: WelcomeEmailBody,
  ): Promise<WelcomeEmailAnswer> {
    if (to !== undefined && to.toLowerCase() !== email.toLowerCase())
      throw new DomainError('foreign_account', 'The welcome e-mail goes to your own address only.');
    const isFirst = await this.queued(accountId, email, displayName);
    return {
      success: 'true',
      message: isFirst ? 'The welcome e-mail is on its way.' : 'You have had the welcome e-mail.',
    };
  }

  private async queued(id: string, email: string, displayName: string): Promise<boolean> {
    try {
      return await this.sendWelcome.run({ id, email, displayName });
    } catch (cause) {
      throw new DomainError('mail_failed', 'The e-mail could not be taken in.', { cause, retryAfterSeconds: 5 });
    }
  }
}
