import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountRequests } from '#core/platform/places/account-requests.js';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Marks a route of known accounts that takes no place, because its statements are shared by all
 * accounts. Any other route takes one.
 */
export const Batched = Reflector.createDecorator<true>();

const leaving = new WeakMap<ServerResponse, () => void>();

/**
 * Makes a request wait for a place of its account ({@link AccountRequests}). The request holds it
 * until its answer begins, or ends if that is read from the database meanwhile. A client that
 * disconnects gives no place back: its request still runs. `isSeparate`: other changes of the account do not
 * wait for the locks of this one.
 */
export async function takePlace(
  places: AccountRequests,
  accountId: string,
  { method }: FastifyRequest,
  reply: FastifyReply,
  isSeparate = false,
): Promise<void> {
  // Two guards of a route may both ask for a place.
  if (leaving.has(reply.raw)) return;
  leaving.set(reply.raw, await places.enter(accountId, { isChange: !isSeparate && !safeMethods.has(method) }));
}

/** Gives back the place of a request that needs no more connections, if it has one. */
export function leavePlace(response: ServerResponse): void {
  leaving.get(response)?.();
  leaving.delete(response);
}

/** Fastify hook `onSend`. An export reads the database until its last row is sent. */
export function leavePlaceBeforeAnswer(
  _request: FastifyRequest,
  { raw }: FastifyReply,
  payload: unknown,
  done: () => void,
): void {
  if (payload instanceof Readable && !payload.destroyed) payload.once('close', () => leavePlace(raw));
  else leavePlace(raw);
  done();
}
