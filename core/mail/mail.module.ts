import { Module } from '@nestjs/common';
import { Mails } from './mails.js';
import { MailsRepository } from './mails.repository.js';

/** E-mails as those need them who have something to tell. */
@Module({ providers: [Mails, MailsRepository], exports: [Mails] })
export class MailModule {}
