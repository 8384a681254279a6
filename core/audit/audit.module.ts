import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '../platform/database/database.module.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.js';

@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([AuditEntryEntity])],
  providers: [AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
