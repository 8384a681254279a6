import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { EncryptionModule } from '../platform/crypto/encryption.js';
import { AccountEntity } from './account.entity.js';
import { AccountRetention } from './account-retention.js';
import { AccountsRepository } from './accounts.repository.js';
import { AdjustCredits } from './adjust-credits.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeys } from './api-keys.js';
import { AuthenticateKey } from './authenticate-key.js';
import { BlockAddress } from './block-address.js';
import { BlockedAddressesRepository } from './blocked-addresses.repository.js';
import { CallersRepository } from './callers.repository.js';
import { ChangeAccount } from './change-account.js';
import { CreateAccount } from './create-account.js';
import { DailyLimit } from './daily-limit.js';
import { AccountErasures } from './deletion/account-erasure.js';
import { DeleteAccount } from './deletion/delete-account.js';
import { FindAccount } from './find-account.js';
import { FlagAccount } from './flag-account.js';
import { KeyRates } from './key-rates.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { KeyUse } from './keys/key-use.js';
import { ReencryptKeys } from './keys/reencrypt-keys.js';
import { RotateKey } from './keys/rotate-key.js';
import { ShowKeys } from './keys/show-keys.js';
import { Sessions } from './sessions/sessions.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { MailModule } from '../mail/mail.module.js';
import { SendWelcome } from './send-welcome.js';
import { CustomSignIn } from './sign-in/custom-sign-in.js';
import { Passwords } from './sign-in/passwords.js';
import { SignInWithGoogle } from './sign-in/sign-in-with-google.js';
import { SignUp } from './sign-in/sign-up.js';
import { SignUpListeners } from './sign-in/sign-up-listeners.js';

const useCases = [
  CreateAccount,
  FindAccount,
  ChangeAccount,
  DailyLimit,
  FlagAccount,
  AdjustCredits,
  BlockAddress,
  AuthenticateKey,
  ApiKeys,
  KeyRates,
  KeyUse,
  ShowKeys,
  RotateKey,
  ReencryptKeys,
  Sessions,
  SignInWithGoogle,
  CustomSignIn,
  SignUpListeners,
  SendWelcome,
  AccountRetention,
  AccountErasures,
  DeleteAccount,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([AccountEntity, ApiKeyEntity]),
    AuditModule,
    CreditsModule,
    EncryptionModule,
    MailModule,
  ],
  providers: [
    ...useCases,
    SignUp,
    Passwords,
    AccountsRepository,
    ApiKeysRepository,
    BlockedAddressesRepository,
    CallersRepository,
    SessionsRepository,
  ],
  exports: useCases,
})
export class AccountsModule {}
