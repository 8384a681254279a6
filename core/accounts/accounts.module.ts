import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MailModule } from '../mail/mail.module.js';
import { EncryptionModule } from '../platform/crypto/encryption.js';
import { AccountEntity } from './account.entity.js';
import { AccountErasure } from './account-erasure.js';
import { Accounts } from './accounts.js';
import { AccountsRepository } from './accounts.repository.js';
import { KeysModule } from '../keys/keys.module.js';
import { BlockedAddressEntity } from './blocked-address.entity.js';
import { BlockedAddresses } from './blocked-addresses.js';
import { RequestLog } from './request-log.js';
import { SavedFilterEntity } from './saved-filter.entity.js';
import { SavedFilters } from './saved-filters.js';
import { SessionEntity } from './sessions/session.entity.js';
import { Sessions } from './sessions/sessions.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { EmailLinkEntity } from './email-link.entity.js';
import { EmailLinks, EmailVerification, PasswordLinks } from './sign-in/email-links.js';
import { PasswordChanges, Passwords } from './sign-in/passwords.js';
import { FreeCredits } from './sign-in/free-credits.js';
import { SignIn } from './sign-in/sign-in.js';
import { SignUp } from './sign-in/sign-up.js';
import { WelcomeMails } from './sign-in/welcome-mails.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountRetention } from './account-retention.js';

const services = [
  Accounts,
  AccountRetention,
  AccountDeletion,
  AccountErasure,
  BlockedAddresses,
  EmailVerification,
  PasswordChanges,
  PasswordLinks,
  RequestLog,
  SavedFilters,
  Sessions,
  SignIn,
  SignUp,
  WelcomeMails,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([AccountEntity, BlockedAddressEntity, EmailLinkEntity, SavedFilterEntity, SessionEntity]),
    AuditModule,
    CreditsModule,
    EncryptionModule,
    KeysModule,
    MailModule,
  ],
  providers: [...services, EmailLinks, FreeCredits, Passwords, AccountsRepository, SessionsRepository],
  exports: [...services, KeysModule, MailModule],
})
export class AccountsModule {}
