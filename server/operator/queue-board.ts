import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import type { QueueControl } from '#core/platform/queue/queue-control.js';
import { boardHeaders } from '../pages/security-headers.js';
import type { OperatorPassword } from './operator-password.js';

const PATH = '/operator/queues';
const READING = ['GET', 'HEAD'];

/**
 * The operator's view of the queues: jobs with the ids they carry, by state. It shows and changes nothing: what changes a queue are
 * commands, which the audit log has.
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
    options: { uiConfig: { boardTitle: 'Pennytext queues', miscLinks: [{ text: 'Home', url: '/' }] } },
  });
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', password.check);
      scope.addHook('onRequest', async ({ method }, reply) =>
        READING.includes(method)
          ? undefined
          : reply
              .status(405)
              .header('Allow', READING.join(', '))
              .type('text/plain; charset=utf-8')
              .send('The board only shows. Change queues by the commands `admin queue …`.\n'),
      );
      scope.addHook('onSend', async (_request, reply) => {
        reply.headers({ ...boardHeaders(), 'Cache-Control': 'no-store' });
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: PATH },
  );
}
