import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RecoveryCodes } from './recovery-codes.js';
import { ReencryptTotps } from './reencrypt-totps.js';
import { TotpErasure } from './totp-erasure.js';
import { TotpEntity } from './totp.entity.js';
import { Totps } from './totps.js';
import { TotpsRepository } from './totps.repository.js';
import { VerifyTotp } from './verify-totp.js';

const exported = [Totps, VerifyTotp, ReencryptTotps];

/** Authenticator apps: secrets that an account's users share with their phones, and the codes of both. */
@Module({
  imports: [TypeOrmModule.forFeature([TotpEntity]), AccountsModule],
  providers: [...exported, RecoveryCodes, TotpErasure, TotpsRepository],
  exports: exported,
})
export class TotpModule {}
