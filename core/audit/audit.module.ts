import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { AuditLog } from './audit-log.js';

@Module({ imports: [DatabaseModule], providers: [AuditLog], exports: [AuditLog] })
export class AuditModule {}
