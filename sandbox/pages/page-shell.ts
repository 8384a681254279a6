import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { html, type Html } from './html.js';

/** A page that the sandbox writes itself: it works without JavaScript, by plain links and forms. */
export interface PlainPage {
  readonly title: string;
  /** What the page stands in for, in a word. */
  readonly part: string;
  readonly main: Html;
  readonly status?: number;
}

const BARE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>{{title}}</title><main>{{main}}</main></html>';
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The frame of plain pages, as the build of the pages made it; without a build they stand bare, and work the same. */
export class PageShell {
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
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(text);
  }
}
