import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { MailModule } from '../mail/mail.module.js';
import { EncryptionModule } from '../platform/crypto/encryption.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeys } from './api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { HashSecretCheck } from './hash-secret-check.js';
import { KeySecretEntity } from './key-secret.entity.js';
import { NamedKeys } from './named-keys.js';
import { Plugs } from './plugs.js';
import { ReencryptKeys } from './reencrypt-keys.js';

/** API keys and the secrets that prove their possession. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity, KeySecretEntity]), AuditModule, EncryptionModule, MailModule],
  providers: [ApiKeys, ApiKeysRepository, ApiKeyUsage, HashSecretCheck, NamedKeys, Plugs, ReencryptKeys],
  exports: [ApiKeys, ApiKeyUsage, HashSecretCheck, NamedKeys, Plugs, ReencryptKeys],
})
export class KeysModule {}
