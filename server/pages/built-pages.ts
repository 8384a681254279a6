import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFoundPage } from './not-found-page.js';
import { pageHeaders, siteHeaders } from './security-headers.js';
import { forThisSite, type SiteConfig } from './site.js';
import { TextFile } from './text-file.js';

/** Shown with status 404 wherever there is nothing else. */
const NOT_FOUND = '/404';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.data': 'text/x-script; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};

/** The pages that web/ was built to, and the texts beside them, as this installation shows them. */
export class BuiltPages {
  /** By their paths: `/docs/index.html` is `/docs`, `/robots.txt` is itself. */
  readonly files: ReadonlyMap<string, TextFile>;
  private readonly notFound: TextFile;

  private constructor(texts: ReadonlyMap<string, string>, { http }: SiteConfig) {
    const headers = siteHeaders(http.publicUrl);
    const fileOf = (name: string, text: string): TextFile => {
      const extra = name.endsWith('.html') ? pageHeaders(text) : {};
      return new TextFile(text, { ...headers, ...extra, 'Content-Type': contentTypes[extname(name)] ?? 'text/plain' });
    };
    const files = new Map([...texts].map(([name, text]) => [pathOf(name), fileOf(name, text)]));
    this.notFound = files.get(NOT_FOUND) ?? fileOf('404.html', notFoundPage());
    files.delete(NOT_FOUND);
    this.files = files;
  }

  /** Reads every page; without a folder there is none but `Page not found.` */
  static load(folder: string | undefined, config: SiteConfig): BuiltPages {
    const write = forThisSite(config);
    const names = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => extname(name) in contentTypes)
      .map((name) => [name, write(readFileSync(join(folder ?? '', name), 'utf8'))] as const);
    return new BuiltPages(new Map(texts), config);
  }

  /** Sends the page at the path, or says that there is none. */
  send(path: string, request: FastifyRequest, reply: FastifyReply): void {
    const file = this.files.get(path);
    if (file) file.send(request, reply);
    else this.sendNotFound(request, reply);
  }

  sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
    this.notFound.send(request, reply, 404);
  }
}

function pathOf(name: string): string {
  return `/${name.replace(/(^|\/)index\.html$/, '')}`;
}
