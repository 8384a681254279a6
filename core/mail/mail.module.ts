import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { EncryptionModule } from '../platform/crypto/encryption.js';
import { MailEntity } from './mail.entity.js';
import { MailSender } from './mail-sender.js';
import { Mailer } from './mailer.js';
import { Mails } from './mails.js';
import { Notices } from './notices.js';

/** Queues emails. */
@Module({
  imports: [AuditModule, EncryptionModule, TypeOrmModule.forFeature([MailEntity])],
  providers: [Mails, Notices],
  exports: [Mails, Notices],
})
export class MailModule {}

/** Sends queued emails with the worker's `Mailer`. */
@Module({})
export class MailSendingModule {
  static over(mailer: Type<Mailer>): DynamicModule {
    return {
      module: MailSendingModule,
      imports: [EncryptionModule],
      providers: [MailSender, { provide: Mailer, useClass: mailer }],
      exports: [MailSender],
    };
  }
}
