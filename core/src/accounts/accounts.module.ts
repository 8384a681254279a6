import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountEntity } from './account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { AdjustCredits } from './adjust-credits.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeys } from './api-keys.js';
import { AuthenticateKey } from './authenticate-key.js';
import { BlockAddress } from './block-address.js';
import { BlockedAddressesRepository } from './blocked-addresses.repository.js';
import { ChangeAccount } from './change-account.js';
import { CreateAccount } from './create-account.js';
import { FindAccount } from './find-account.js';
import { FlagAccount } from './flag-account.js';
import { KeyRates } from './key-rates.js';
import { MailModule } from '../mail/mail.module.js';
import { SendWelcome } from './send-welcome.js';
import { Sessions } from './sessions/sessions.js';

const useCases = [
  CreateAccount,
  FindAccount,
  ChangeAccount,
  FlagAccount,
  AdjustCredits,
  BlockAddress,
  AuthenticateKey,
  ApiKeys,
  KeyRates,
  Sessions,
  SendWelcome,
];

@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, ApiKeyEntity]), CreditsModule, MailModule],
  providers: [...useCases, AccountsRepository, BlockedAddressesRepository],
  exports: useCases,
})
export class AccountsModule {}
