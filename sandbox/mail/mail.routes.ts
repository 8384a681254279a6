import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { explainFaults } from '../http.js';
import type { EventStream } from '../pages/event-stream.js';
import type { Mail, Mailbox } from './mailbox.js';

const PREVIEW_CHARACTERS_MAX = 140;

export interface MailLine {
  readonly id: string;
  readonly to: string;
  readonly sender: string;
  readonly subject: string;
  readonly preview: string;
  readonly at: string;
}

/** Control API of the mailbox, under /_control. */
export function mailControlRoutes(mailbox: Mailbox) {
  const query = z.object({ to: z.string().optional() });
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.get('/mail', async (request) => mailbox.list(query.parse(request.query).to));
  };
}

/** API of the mailbox page, under /_mail. */
export function mailRoutes(mailbox: Mailbox, stream: EventStream) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/messages', async () => mailbox.list().reverse().map(lineOf));

    app.get<{ Params: { id: string } }>('/messages/:id', async (request, reply) => {
      return mailbox.find(request.params.id) ?? reply.code(404).send({ error: 'This mail is no longer stored.' });
    });

    stream.register(app);
  };
}

function lineOf({ id, to, from, subject, text, html, headers, at }: Mail): MailLine {
  const words = (text ?? (html ?? '').replace(/<(style|head)[\s\S]*?<\/\1>|<[^>]*>/gi, ' '))
    .replace(/\s+/g, ' ')
    .trim();
  const sender = (headers['from'] ?? from).replace(/\s*<[^<>]*>\s*$/, '').replace(/^"(.*)"$/, '$1');
  return { id, to, sender: sender || from, subject, preview: words.slice(0, PREVIEW_CHARACTERS_MAX), at };
}
