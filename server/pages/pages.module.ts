import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { SessionCookie } from '../auth/session.guard.js';
import { BuiltPages } from './built-pages.js';
import { EntranceController } from './entrance.controller.js';
import { OpenApiController } from './open-api.controller.js';

/** The pages that depend on the session, and the OpenAPI document. Other pages are served by serve-pages. */
@Module({})
export class PagesModule {
  static forRoot(pages: BuiltPages): DynamicModule {
    return {
      module: PagesModule,
      imports: [AccountsModule],
      controllers: [EntranceController, OpenApiController],
      providers: [SessionCookie, { provide: BuiltPages, useValue: pages }],
      exports: [BuiltPages],
    };
  }
}
