import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { SessionCookie } from '../auth/session.guard.js';
import { BuiltPages } from './built-pages.js';
import { PagesController } from './pages.controller.js';

/** The pages that depend on the session, and the OpenAPI document. serve-pages serves the others. */
@Module({})
export class PagesModule {
  static forRoot(pages: BuiltPages): DynamicModule {
    return {
      module: PagesModule,
      imports: [AccountsModule],
      controllers: [PagesController],
      providers: [SessionCookie, { provide: BuiltPages, useValue: pages }],
      exports: [BuiltPages],
    };
  }
}
