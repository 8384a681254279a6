import type { FastifyInstance } from 'fastify';

const FORM_BYTES_MAX = 65_536;

/** Lets these routes read forms as URLSearchParams; whatever is no form counts as an empty one. */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const;
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, new URLSearchParams(body)),
  );
  app.addContentTypeParser<string>('*', options, (_request, _body, done) => done(null, new URLSearchParams()));
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= new URLSearchParams();
    done();
  });
}
