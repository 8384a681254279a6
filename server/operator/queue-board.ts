import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { QueueControl } from '#core/platform/queue/queue-control.js';
import { type OperatorPassword, serveToOperator } from './operator-scope.js';

const PATH = '/operator/queues';
/**
 * Serves the operator's read-only view of the queues. Changes are made by admin commands, which
 * write to the audit log.
 */
export async function serveQueueBoard(
  fastify: FastifyInstance,
  control: QueueControl,
  password: OperatorPassword,
): Promise<void> {
  const board = new FastifyAdapter().setBasePath(PATH);
  createBullBoard({
    queues: control.queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: {
      uiConfig: {
        boardTitle: 'Pennytext queues',
        miscLinks: [
          { text: 'Home', url: '/' },
          { text: 'Routes', url: '/operator/routes' },
        ],
      },
    },
  });
  // The board's own handler would answer refusals by our hooks with 500 and the error's message.
  board.setErrorHandler((error) => {
    if (!(error instanceof DomainError)) return { status: 500, body: { error: 'The board failed.' } };
    return { status: 400, body: { error: error.message } };
  });
  await serveToOperator(fastify, PATH, password, (scope) => scope.register(board.registerPlugin()));
}
