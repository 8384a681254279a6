import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fastifyStatic from '@fastify/static';
import { html, type Html } from './html.js';

/** A server-rendered page: links and forms, no JavaScript. */
export interface PlainPage {
  readonly title: string;
  /** Short name of the replaced service. */
  readonly part: string;
  readonly main: Html;
  readonly status?: number;
}

const BARE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>{{title}}</title><main>{{main}}</main></html>';
const PLAIN_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Renders plain pages in the built frame; without a build, in a bare document with the same links
 * and forms.
 */
export class PageFrame {
  private readonly template: string;

  constructor(pagesDir: string) {
    const built = join(pagesDir, 'plain.html');
    this.template = existsSync(built) ? readFileSync(built, 'utf8') : BARE;
  }

  send(reply: FastifyReply, { title, part, main, status = 200 }: PlainPage): FastifyReply {
    const parts: Record<string, Html> = { title: html`${title}`, part: html`${part}`, main };
    const text = this.template.replace(/\{\{(title|part|main)\}\}/g, (_all, name: string) => parts[name]?.text ?? '');
    return reply
      .code(status)
      .header('content-security-policy', PLAIN_POLICY)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(text);
  }
}

/** Apps of the build: each is one HTML file, served under its name. */
const PAGES = ['phone', 'carriers', 'mail', 'hooks'] as const;

const APP_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** Serves the built apps from Vite's output folder. */
export function pagesRoutes(dir: string) {
  return async (app: FastifyInstance): Promise<void> => {
    if (!existsSync(dir)) {
      for (const page of PAGES) {
        app.get(`/${page}`, (_request, reply) =>
          reply.code(503).type('text/plain').send('The pages are not built yet. Run: npm run build\n'),
        );
      }
      return;
    }
    const assets = { root: join(dir, 'assets'), prefix: '/pages/assets/', immutable: true, maxAge: '1y' };
    await app.register(fastifyStatic, assets);
    app.get('/pages/mark.svg', (_request, reply) => reply.sendFile('mark.svg', dir));
    app.get('/favicon.ico', (_request, reply) => reply.redirect('/pages/mark.svg'));
    for (const page of PAGES) {
      app.get(`/${page}`, (_request, reply) =>
        reply
          .header('content-security-policy', APP_POLICY)
          .header('cache-control', 'no-cache')
          .sendFile(`${page}.html`, dir, { cacheControl: false }),
      );
    }
  };
}
