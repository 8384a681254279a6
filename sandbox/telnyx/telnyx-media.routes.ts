import type { FastifyInstance } from 'fastify';
import type { MediaBook } from '../carriers/media.js';
import { serveMedia } from '../carriers/serve-media.js';
import type { Faults } from '../control/faults.js';
import { MEDIA_PATH } from './message-resource.js';

/** An error of the storage, which is not part of the API. */
class StorageError extends Error {
  constructor(readonly statusCode: number) {
    super(`The storage answers ${statusCode}`);
  }
}

/** Telnyx's storage of files, which needs no credentials. */
export function telnyxMediaRoutes(media: MediaBook, faults: Faults) {
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof StorageError)) throw error;
      return reply.code(error.statusCode).type('application/xml').send('<Error/>');
    });

    // Not async, because a fault may leave a request without an answer.
    app.get<{ Params: { sid: string } }>(`${MEDIA_PATH}:sid`, (request, reply) => {
      const file = media.get(request.params.sid);
      if (file === undefined) throw new StorageError(404);
      serveMedia(reply, file, faults, faults.take('media'), {
        '404': () => new StorageError(404),
        '500': () => new StorageError(500),
      });
    });
  };
}
