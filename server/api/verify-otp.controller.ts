import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { otpTexts } from '#contract/otp-statuses.js';
import { verifyOtpBody, type VerifyOtpAnswer, type VerifyOtpBody } from '#contract/otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { VerifyOtp, type OtpVerdict } from '#core/otp/verify-otp.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';
import { numberOf } from './message-fields.js';
import { prefersJson } from './prefers-json.js';

/** POST /api/verifyotp: whether a code counts, as plain text, or as JSON for those who ask for it. */
@Controller('api')
export class VerifyOtpController {
  constructor(
    private readonly caller: ApiCaller,
    private readonly verifyOtp: VerifyOtp,
  ) {}

  @Post('verifyotp')
  @HttpCode(200)
  async verify(
    @Body(new ContractPipe(verifyOtpBody)) body: VerifyOtpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | VerifyOtpAnswer> {
    const otp = body.otp?.trim();
    const apiKey = this.caller.keyOf(request, body.apikey);
    if (!otp || !apiKey) throw new DomainError('missing_fields', 'Send "otp" and "apikey", none of them empty.');
    const key = await this.caller.admit(request, reply, apiKey);
    const to = body.to ? numberOf(body.to, request) : undefined;
    const verdict = await this.verifyOtp.run({ key, otp, to, address: request.ip });
    reply.header('Vary', 'Accept');
    if (prefersJson(request.headers.accept)) return answerOf(verdict);
    reply.type('text/plain; charset=utf-8');
    return otpTexts[verdict.kind];
  }
}

function answerOf({ kind, expiresAt, attemptsLeft }: OtpVerdict): VerifyOtpAnswer {
  return {
    status: kind,
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(attemptsLeft !== undefined && { attempts_left: attemptsLeft }),
  };
}
