import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ChooseRoute } from './choose-route.js';
import { CurrentRegions } from './current-regions.js';
import { RegionSettingEntity } from './region-setting.entity.js';
import { RegionSettings } from './region-settings.js';
import { RouteChangeEntity } from './route-change.entity.js';
import { RouteModeEntity } from './route-mode.entity.js';
import { RouteReports } from './route-report.js';
import { RouteEntity } from './route.entity.js';
import { Routes } from './routes.js';

const exported = [ChooseRoute, CurrentRegions, RegionSettings, RouteReports, Routes];

/** Routes and regions: their settings by the operator, and the route of each message. */
@Module({
  imports: [
    AuditModule,
    TypeOrmModule.forFeature([RegionSettingEntity, RouteChangeEntity, RouteEntity, RouteModeEntity]),
  ],
  providers: exported,
  exports: exported,
})
export class RoutesModule {}
