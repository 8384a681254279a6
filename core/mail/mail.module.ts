import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { MailSender } from './mail-sender.js';
import { Mailer } from './mailer.js';
import { Mails } from './mails.js';

/** Queues e-mails. */
@Module({ providers: [Mails], exports: [Mails] })
export class MailModule {}

/** Sends queued e-mails with the worker's `Mailer`. */
@Module({})
export class MailSendingModule {
  static over(mailer: Type<Mailer>): DynamicModule {
    return {
      module: MailSendingModule,
      providers: [MailSender, { provide: Mailer, useClass: mailer }],
      exports: [MailSender],
    };
  }
}
