import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { sendOtpBody, type SendOtpAnswer, type SendOtpBody } from '#contract/otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { otpDigitsOf, otpMinutesOf } from '#core/rules/otp-numbers.js';
import { isOtpOrg, otpDomainOf } from '#core/rules/otp-text.js';
import { acceptedAnswer } from './accepted-answer.js';
import { requestContextOf } from '../http/request-context.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { numberOf, refuseUnsendable } from './message-fields.js';

const { otpMinutesMin, otpMinutesMax, otpDigitsMin, otpDigitsMax } = limits;

/** POST /api/sendotp: makes up a code and sends it. */
@Controller('api')
export class SendOtpController {
  constructor(
    private readonly caller: ApiCaller,
    private readonly sendOtp: SendOtp,
  ) {}

  @Post('sendotp')
  @HttpCode(200)
  async send(
    @Body(new ContractPipe(sendOtpBody)) body: SendOtpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendOtpAnswer> {
    const idempotencyKey = idempotencyKeyOf(request);
    const { to } = body;
    const reference = body.reference || undefined;
    refuseUnsendable([to, body.org, reference]);
    const wording = wordingOf(body);
    const apiKey = this.caller.keyOf(request, body.apikey);
    if (!to || !apiKey) throw new DomainError('missing_fields', 'Send "to" and "apikey", none of them empty.');
    const key = await this.caller.admit(request, reply, apiKey);
    const accepted = await this.sendOtp.run({
      key,
      to: numberOf(to, request),
      ...wording,
      reference,
      idempotencyKey,
      address: request.ip,
      origin: requestContextOf(request),
    });
    return acceptedAnswer(accepted, reply);
  }
}

/** What the message says and how long it counts. Throws `invalid_limit`, `invalid_request`. */
function wordingOf({ org, limit, length, domain }: SendOtpBody) {
  const minutes = otpMinutesOf(limit);
  if (minutes === undefined)
    throw new DomainError('invalid_limit', `"limit" is a whole number from ${otpMinutesMin} to ${otpMinutesMax}.`);
  const digits = otpDigitsOf(length);
  if (digits === undefined)
    throw new DomainError('invalid_request', `length: a whole number from ${otpDigitsMin} to ${otpDigitsMax}.`);
  if (org && !isOtpOrg(org)) throw new DomainError('invalid_request', 'org: one line of text.');
  const host = domain ? otpDomainOf(domain) : undefined;
  if (domain && host === undefined) throw new DomainError('invalid_request', 'domain: a host name, as example.com.');
  return { org: org || undefined, domain: host, digits, minutes };
}
