import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { z } from 'zod';
import type { MessageKind } from '#contract/messages.js';
import { WorkQueue, type WorkItem } from './work-queue.js';
import { Logger } from '../telemetry/logger.js';
import { contextFields, type RequestContext } from '../telemetry/request-context.js';
import { Tracer } from '../telemetry/tracer.js';
import { Backlog } from './backlog.js';

export const queueNames = {
  dispatch: 'dispatch',
  mail: 'mail',
  webhooks: 'webhooks',
  creditsAdded: 'credits-added',
  media: 'media',
} as const;

const MESSAGES_PER_JOB_MAX = 100;

/** A message of a job. */
export interface MessageToDispatch extends RequestContext {
  readonly messageId: string;
  readonly accountId: string;
  /** True if the message is from a number that its account has bought. */
  readonly takesTurns?: boolean | undefined;
}

/** Job that dispatches messages. */
export interface DispatchPayload {
  readonly messages: readonly MessageToDispatch[];
}

/** Job that sends one email, whose id is the job's id. */
export interface MailPayload {
  readonly mailId: string;
}

/** Job that copies one file of a reply. The file's id is the job's id. */
export interface MediaPayload {
  readonly mediaId: string;
  readonly accountId: string;
}

/** Job that delivers one webhook. The delivery's id is the job's id. */
export interface WebhookPayload extends RequestContext {
  readonly deliveryId: string;
  readonly accountId: string;
}

/**
 * Job that releases an account's held replies after credits were added. The account's id is the
 * job's id.
 */
export interface CreditsAddedPayload {
  readonly accountId: string;
}

const contextShape = { requestId: z.string().optional(), traceparent: z.string().optional() };

/** Schemas of the jobs' data, with which a worker checks them: a queue may hold anything. */
export const dispatchPayload: z.ZodType<DispatchPayload> = z.object({
  messages: z
    .array(z.object({ messageId: z.guid(), accountId: z.guid(), takesTurns: z.boolean().optional(), ...contextShape }))
    .min(1),
});
export const mailPayload: z.ZodType<MailPayload> = z.object({ mailId: z.guid() });
export const mediaPayload: z.ZodType<MediaPayload> = z.object({ mediaId: z.guid(), accountId: z.guid() });
export const webhookPayload: z.ZodType<WebhookPayload> = z.object({
  deliveryId: z.guid(),
  accountId: z.guid(),
  ...contextShape,
});
export const creditsAddedPayload: z.ZodType<CreditsAddedPayload> = z.object({ accountId: z.guid() });

interface QueuedMessage extends WorkItem {
  readonly accountId: string;
  readonly kind: MessageKind;
  readonly takesTurns?: boolean | undefined;
}

/** Queue of messages to dispatch, one-time passwords first. */
@Injectable()
export class DispatchQueue extends WorkQueue<QueuedMessage, DispatchPayload> {
  constructor(
    @InjectQueue(queueNames.dispatch) queue: Queue<DispatchPayload>,
    backlog: Backlog,
    private readonly tracer: Tracer,
    logger: Logger,
  ) {
    super({
      store: queue,
      logger,
      itemsPerJob: MESSAGES_PER_JOB_MAX,
      jobOf: (messages) => ({
        messages: messages.map(({ id, accountId, takesTurns, context }) => ({
          messageId: id,
          accountId,
          ...(takesTurns === true && { takesTurns }),
          ...contextFields(context),
        })),
      }),
      fairness: { backlog, counterOf: (accountId) => accountId },
      isUrgent: ({ kind }) => kind === 'otp',
    });
  }

  protected override add(message: QueuedMessage): Promise<void> {
    const { context } = message;
    return this.tracer.within('enqueue', { kind: 'producer', parent: context?.traceparent }, ({ traceparent }) =>
      super.add(traceparent === undefined ? message : { ...message, context: { ...context, traceparent } }),
    );
  }
}

interface QueuedDelivery extends WorkItem {
  readonly accountId: string;
}

/** Queue of webhook deliveries to attempt. */
@Injectable()
export class WebhookQueue extends WorkQueue<QueuedDelivery, WebhookPayload> {
  constructor(@InjectQueue(queueNames.webhooks) queue: Queue<WebhookPayload>, backlog: Backlog, logger: Logger) {
    super({
      store: queue,
      logger,
      jobOf: ([{ id, accountId, context }]) => ({ deliveryId: id, accountId, ...contextFields(context) }),
      // Counted apart from the account's messages, whose counter is its id.
      fairness: { backlog, counterOf: (accountId) => `webhooks:${accountId}` },
    });
  }
}

/** Queue of emails to send. */
@Injectable()
export class MailQueue extends WorkQueue<WorkItem, MailPayload> {
  constructor(@InjectQueue(queueNames.mail) queue: Queue<MailPayload>, logger: Logger) {
    super({ store: queue, logger, jobOf: ([{ id }]) => ({ mailId: id }) });
  }
}

interface QueuedMedia extends WorkItem {
  readonly accountId: string;
}

/** Queue of files of replies to copy. */
@Injectable()
export class MediaQueue extends WorkQueue<QueuedMedia, MediaPayload> {
  constructor(@InjectQueue(queueNames.media) queue: Queue<MediaPayload>, logger: Logger) {
    super({ store: queue, logger, jobOf: ([{ id, accountId }]) => ({ mediaId: id, accountId }) });
  }
}

/** Queue of accounts that received credits. */
@Injectable()
export class CreditsAddedQueue extends WorkQueue<WorkItem, CreditsAddedPayload> {
  constructor(@InjectQueue(queueNames.creditsAdded) queue: Queue<CreditsAddedPayload>, logger: Logger) {
    super({ store: queue, logger, jobOf: ([{ id }]) => ({ accountId: id }) });
  }
}
