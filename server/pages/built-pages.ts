import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyStatic from '@fastify/static';
import type { Config } from '#core/platform/config/config.js';
import { pageHeaders, siteHeaders } from './security-headers.js';

type SiteConfig = Pick<Config, 'http' | 'mail' | 'signIn'>;

/** Page with status 404 for unknown paths. */
const NOT_FOUND = '/404';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};

/**
 * Placeholders in the built pages, replaced by the values of this installation; web/src/site.ts has
 * the same.
 */
const placeholders = { url: 'https://pennytext.example', contact: 'hello@pennytext.example' };

/** An email address of characters without a meaning in HTML, JSON and XML. */
const emailAddress = /[\w.!#$%*+/=?^`{|}~-]+@[\w.-]+/;

/** Page that is sent without built pages. */
const plainNotFoundPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Page not found. – Pennytext</title></head>
<body><main><h1>Page not found.</h1><p><a href="/">Go to the start page</a></p></main></body>
</html>`;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Nearly as small as quality 11 in a tenth of the time: the first visitor of a page waits for it.
 */
const brotliParams = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

type Encoding = 'br' | 'gzip' | 'identity';

/** A text in memory, compressed once for every encoding that is asked for. */
export class TextFile {
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();
  private readonly identity: Buffer;
  private readonly hash: string;

  constructor(
    text: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.identity = Buffer.from(text);
    this.hash = createHash('sha256').update(this.identity).digest('base64url').slice(0, 22);
  }

  /** Sends the text, or 304 if the browser's copy is current (RFC 9110, section 13.1.2). */
  send(request: FastifyRequest, reply: FastifyReply, status = 200): void {
    const encoding = encodingFor(request.headers['accept-encoding']);
    const etag = `"${this.hash}-${encoding}"`;
    reply.headers({ 'Cache-Control': 'no-cache', ...this.headers, ETag: etag, Vary: 'Accept-Encoding' });
    if (status === 200 && etagsIn(request.headers['if-none-match']).includes(etag)) {
      void reply.status(304).send();
      return;
    }
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    void reply.status(status);
    this.bodyIn(encoding).then(
      (body) => reply.send(body),
      (error: unknown) => reply.send(error),
    );
  }

  private bodyIn(encoding: Encoding): Promise<Buffer> {
    const known = this.bodies.get(encoding);
    if (known) return known;
    const body = this.compressed(encoding);
    this.bodies.set(encoding, body);
    return body;
  }

  private async compressed(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'br') return brotli(this.identity, brotliParams);
    return encoding === 'gzip' ? zip(this.identity) : this.identity;
  }
}

function encodingFor(accepted = ''): Encoding {
  const accepts = (name: string) =>
    new RegExp(`(^|[,\\s])${name}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`).test(accepted);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

function etagsIn(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}

/**
 * A page of the site. With figures of the delivery quality its footer links to them, which the
 * style sheet decides by an attribute of the root element.
 */
class PageFile {
  private readonly without: TextFile;
  private withFigures: TextFile | undefined;

  constructor(
    private readonly html: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly figures: { readonly exist: boolean },
  ) {
    this.without = new TextFile(html, headers);
  }

  send(request: FastifyRequest, reply: FastifyReply, status = 200): void {
    const file = this.figures.exist ? (this.withFigures ??= this.changed()) : this.without;
    file.send(request, reply, status);
  }

  private changed(): TextFile {
    return new TextFile(this.html.replace(figuresAttribute('off'), figuresAttribute('on')), this.headers);
  }
}

/** The built pages of web/ and the text files beside them, with the values of this installation. */
export class BuiltPages {
  /** Files by path: `/docs/index.html` is `/docs`, `/robots.txt` is itself. */
  readonly files: ReadonlyMap<string, Pick<TextFile, 'send'>>;
  /** `exist`: there are figures of the delivery quality. */
  readonly figures = { exist: false };
  private readonly notFound: Pick<TextFile, 'send'>;

  private constructor(texts: ReadonlyMap<string, string>) {
    const fileOf = (name: string, text: string) => {
      const headers = { ...siteHeaders, 'Content-Type': contentTypes[extname(name)] ?? 'text/plain' };
      if (!name.endsWith('.html')) return new TextFile(text, headers);
      return new PageFile(text, { ...headers, ...pageHeaders(text) }, this.figures);
    };
    const files = new Map([...texts].map(([name, text]) => [pathOf(name), fileOf(name, text)]));
    this.notFound = files.get(NOT_FOUND) ?? fileOf('404.html', plainNotFoundPage);
    files.delete(NOT_FOUND);
    this.files = files;
  }

  /** Reads every page; without a folder there is only the 404 page. */
  static load(folder: string | undefined, config: SiteConfig): BuiltPages {
    const localize = localizer(config);
    const names = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => extname(name) in contentTypes)
      .map((name) => [name, localize(readFileSync(join(folder ?? '', name), 'utf8'))] as const);
    return new BuiltPages(new Map(texts));
  }

  /** Sends the page at the path, or the 404 page. */
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

/**
 * Returns a function that puts this installation's URL, contact address and sign-in methods into a
 * built text.
 */
function localizer({ http, mail, signIn }: SiteConfig): (text: string) => string {
  const url = new URL(http.publicUrl).href.replace(/\/+$/, '');
  const contact = emailAddress.exec(mail.from)?.[0] ?? placeholders.contact;
  const customSignIn = customSignInAttribute(signIn.customEnabled ? 'on' : 'off');
  return (text) =>
    text
      .replaceAll(placeholders.contact, contact)
      .replaceAll(placeholders.url, url)
      .replaceAll(customSignInAttribute('off'), customSignIn);
}

/** An attribute of the root element. */
function customSignInAttribute(value: 'on' | 'off'): string {
  return `data-custom-sign-in="${value}"`;
}

function figuresAttribute(value: 'on' | 'off'): string {
  return `data-figures="${value}"`;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** The PagesController serves these pages, because they depend on the session. */
const sessionPages = /^\/(login|dashboard)(\/|$)/;

/** Serves the pages that are the same for every visitor, and the assets. */
export async function servePages(fastify: FastifyInstance, pages: BuiltPages, folder: string): Promise<void> {
  for (const [path, file] of pages.files) {
    if (!sessionPages.test(path)) fastify.get(path, (request, reply) => file.send(request, reply));
    if (path !== '/' && !path.startsWith('/dashboard/')) fastify.get(`${path}/`, redirectTo(path));
  }
  fastify.get('/dashboardpage', redirectTo('/dashboard'));
  // Asset names contain a hash of their content.
  await fastify.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    maxAge: YEAR_MS,
    immutable: true,
    preCompressed: true,
    decorateReply: false,
  });
  // Icons and images.
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['assets/**', '**/*.{html,json,txt,xml}'],
    decorateReply: false,
    maxAge: DAY_MS,
  });
}

/** Redirects to the canonical path and keeps the query. */
function redirectTo(path: string) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const query = request.url.slice(request.url.split('?')[0]?.length);
    void reply.redirect(`${path}${query}`, 301);
  };
}
