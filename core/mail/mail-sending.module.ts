import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Mailer } from './mailer.js';
import { MailsRepository } from './mails.repository.js';
import { RecoverMails } from './recover-mails.js';
import { SendMail } from './send-mail.js';

const useCases = [SendMail, RecoverMails];

/** E-mails as the worker needs them; the composition root says who takes them. */
@Module({})
export class MailSendingModule {
  static over(mailer: Type<Mailer>): DynamicModule {
    return {
      module: MailSendingModule,
      providers: [...useCases, MailsRepository, { provide: Mailer, useClass: mailer }],
      exports: useCases,
    };
  }
}
