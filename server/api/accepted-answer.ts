import type { FastifyReply } from 'fastify';
import type { SendSmsAnswer } from '#contract/send-sms.js';
import type { AcceptedMessage } from '#core/messages/send/accept-message.js';

/** The answer to whoever sent a message of any kind; one that was given before says so in a header. */
export function acceptedAnswer(accepted: AcceptedMessage, reply: FastifyReply): SendSmsAnswer {
  const { messageId, segments, credits, reference, test, replayed } = accepted;
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return {
    success: 'true',
    message_id: messageId,
    segments,
    credits,
    ...(reference !== undefined && { reference }),
    ...(test && { test: true as const }),
  };
}
