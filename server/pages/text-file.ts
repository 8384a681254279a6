import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Nearly as small as 11, in a tenth of the time: this runs while the server starts.
const BROTLI_QUALITY = 9;

type Encoding = 'br' | 'gzip' | 'identity';

/** A text that stands in memory in every encoding that browsers ask for. */
export class TextFile {
  private readonly bodies: Record<Encoding, Buffer>;
  private readonly hash: string;

  constructor(
    text: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    const identity = Buffer.from(text);
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    this.bodies = { identity, br: brotliCompressSync(identity, { params }), gzip: gzipSync(identity) };
    this.hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  }

  /** Sends it, or says that the browser's copy is still good (RFC 9110, section 13.1.2). Its headers may say how long it is. */
  send(request: FastifyRequest, reply: FastifyReply, status = 200): void {
    const encoding = encodingFor(request.headers['accept-encoding']);
    const etag = `"${this.hash}-${encoding}"`;
    reply.headers({ 'Cache-Control': 'no-cache', ...this.headers, ETag: etag, Vary: 'Accept-Encoding' });
    if (status === 200 && knownTags(request.headers['if-none-match']).includes(etag)) {
      void reply.status(304).send();
      return;
    }
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    void reply.status(status).send(this.bodies[encoding]);
  }
}

function encodingFor(accepted = ''): Encoding {
  const accepts = (name: string) =>
    new RegExp(`(^|[,\\s])${name}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`).test(accepted);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

function knownTags(ifNoneMatch = ''): string[] {
  return ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
