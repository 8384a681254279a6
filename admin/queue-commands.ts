import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import type { Run } from './audited.js';

type Action = 'status' | 'pause' | 'resume' | 'retry' | 'drain';

/** The operator's hands on the queues. docs/queues.md tells when to use which. */
export function addQueueCommands(queue: Command, run: Run): void {
  const add = (name: string, action: Action, description: string) =>
    queue
      .command(name)
      .argument('[queue]', 'dispatch, webhooks, mail or arrived-credits; all of them without')
      .description(description)
      .action((chosen: string | undefined) =>
        run((app: INestApplicationContext) => app.get(QueueControl, { strict: false })[action](chosen)),
      );
  add('status', 'status', 'jobs by state, and whether the queue is paused');
  add('pause', 'pause', 'workers finish what they have and take no more; messages are still accepted');
  add('resume', 'resume', 'workers go on');
  add('retry-failed', 'retry', 'jobs that failed or wait for their next try run at once');
  add('drain', 'drain', 'remove waiting jobs, never rows: recovery puts in line again what still waits in Postgres');
}
