import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';

/** Lets only Twilio in. Throws `invalid_signature`. */
@Injectable()
export class TwilioSignatureGuard implements CanActivate {
  constructor(private readonly twilioSignature: TwilioSignature) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Body: object | undefined }>>();
    const signature = request.headers['x-twilio-signature'];
    if (typeof signature === 'string' && this.twilioSignature.isValid(signature, request.url, request.body ?? {}))
      return true;
    throw new DomainError('invalid_signature', 'The signature does not match. Nothing was stored.');
  }
}
