import {
  Controller,
  type DynamicModule,
  Get,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiDocument } from '#contract/openapi/openapi.js';
import { returnPath, withReturnPath } from '#contract/sign-in.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { LedgerKeys } from '#core/credits/ledger-keys.js';
import type { LedgerKeySet } from '#contract/ledger-proof.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { Config } from '#core/platform/config/config.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { DeliveryQuality } from '#core/quality/delivery-quality.js';
import { QualityModule } from '#core/quality/quality.module.js';
import { ServiceStatus } from '#core/quality/service-status.js';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { SessionCookie } from '../auth/session.guard.js';
import { BuiltPages, TextFile } from './built-pages.js';
import { siteHeaders } from './security-headers.js';
import { statusFeed } from './status-feed.js';

const CACHE_SECONDS = 300;
const FEED_CACHE_SECONDS = 60;
const FIGURES_LOOKED_FOR_EVERY_MS = 60_000;
/** These pages are built once, for every message. */
const recordPage = /^(\/dashboard\/messages\/)[^/]+(\/record)$/;
const conversationPage = /^(\/dashboard\/conversations\/)[^/]+$/;
const numberPage = /^(\/dashboard\/numbers\/)[^/]+$/;

/**
 * GET /login and /dashboard, which depend on the session, GET /openapi.json, /status.xml and
 * /.well-known/pennytext-ledger.json.
 */
@Controller()
class PagesController {
  private readonly openApi: TextFile;

  constructor(
    private readonly config: Config,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly pages: BuiltPages,
    private readonly ledgerKeys: LedgerKeys,
    private readonly serviceStatus: ServiceStatus,
    private readonly logger: Logger,
  ) {
    this.openApi = new TextFile(JSON.stringify(openApiDocument(config.http.publicUrl)), {
      ...siteHeaders,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': `public, max-age=${CACHE_SECONDS}`,
      'Access-Control-Allow-Origin': '*',
    });
  }

  @Get('login')
  async login(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query('next') next: unknown): Promise<void> {
    if ((await this.isSignedIn(request)) === true) return redirect(reply, returnPath(next) ?? '/dashboard');
    this.pages.send('/login', request, reply);
  }

  /**
   * Redirects to the login page without a session; it returns here, for example from a checkout or
   * an email.
   */
  @Get(['dashboard', 'dashboard/*'])
  async dashboard(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if ((await this.isSignedIn(request)) === false)
      return redirect(reply, withReturnPath('/login', returnPath(request.url)));
    const path = new URL(request.url, 'http://any').pathname.replace(/(?<=.)\/$/, '');
    const built = path.replace(recordPage, '$1id$2').replace(conversationPage, '$1number').replace(numberPage, '$1id');
    this.pages.send(built, request, reply);
  }

  @Get('openapi.json')
  openApiDocument(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.openApi.send(request, reply);
  }

  /** The changes of the status page, to subscribe to. */
  @Get('status.xml')
  async statusFeed(@Res() reply: FastifyReply): Promise<void> {
    const feed = statusFeed(await this.serviceStatus.shown(), this.config.http.publicUrl);
    await reply
      .header('Content-Type', 'application/atom+xml; charset=utf-8')
      .header('Cache-Control', `public, max-age=${FEED_CACHE_SECONDS}`)
      .header('Access-Control-Allow-Origin', '*')
      .send(feed);
  }

  /** The public keys of the ledger's seals, for programs that verify them. */
  @Get('.well-known/pennytext-ledger.json')
  async ledgerKeySet(@Res() reply: FastifyReply): Promise<void> {
    const keySet: LedgerKeySet = { keys: await this.ledgerKeys.published() };
    await reply
      .header('Cache-Control', `public, max-age=${CACHE_SECONDS}`)
      .header('Access-Control-Allow-Origin', '*')
      .send(keySet);
  }

  /**
   * Returns undefined when the session cannot be read: the requested page is then shown and reports
   * the failure.
   */
  private async isSignedIn(request: FastifyRequest): Promise<boolean | undefined> {
    try {
      return (await this.sessions.find(this.cookie.read(request))) !== undefined;
    } catch (error) {
      this.logger.error({ err: error }, 'session not readable');
      return undefined;
    }
  }
}

function redirect(reply: FastifyReply, path: string): void {
  void reply.header('Cache-Control', 'no-store').redirect(path, 302);
}

/** Looks each minute whether there are figures of the delivery quality for the footer to link to. */
@Injectable()
class LookForFigures implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private latest: Promise<void> = Promise.resolve();

  constructor(
    private readonly deliveryQuality: DeliveryQuality,
    private readonly pages: BuiltPages,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.latest = this.look();
    this.timer = setInterval(() => {
      this.latest = this.look();
    }, FIGURES_LOOKED_FOR_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.latest;
  }

  /** While the figures cannot be read, the footer stays as it is. */
  private async look(): Promise<void> {
    try {
      this.pages.figures.exist = await this.deliveryQuality.hasFigures();
    } catch (err) {
      this.logger.warn({ err }, 'figures of delivery quality not read');
    }
  }
}

/** The pages that depend on the session, and the OpenAPI document. servePages serves the others. */
@Module({})
export class PagesModule {
  static forRoot(pages: BuiltPages): DynamicModule {
    return {
      module: PagesModule,
      imports: [AccountsModule, CreditsModule, QualityModule],
      controllers: [PagesController],
      providers: [SessionCookie, LookForFigures, { provide: BuiltPages, useValue: pages }],
      exports: [BuiltPages],
    };
  }
}
