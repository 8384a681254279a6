import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { limits } from '#contract/limits.js';
import { numberOfDigits } from '#contract/whole-numbers.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { Otps } from '#core/otp/otps.js';
import { SendOtp } from '#core/otp/send-otp.js';
import { VerifyOtp } from '#core/otp/verify-otp.js';
import { incomplete, invalid, number, parsed, quotaOf, text, TextbeltCallers, TextbeltErrors } from './textbelt.js';

const OTP_SECONDS_DEFAULT = 180;
const SECONDS_PER_MINUTE = 60;
/**
 * Recipient of codes verified by a test key: reserved for examples (nanpa.com, 555 line numbers).
 */
const TEST_RECIPIENT = '+12025550142';
const { otpMinutesMin, otpMinutesMax, otpDigitsMin, otpDigitsMax, otpDigitsDefault } = limits;

const generateFields = z.strictObject({ phone: number, userid: number, key: text, lifetime: number, length: number });
const verifyFields = z.strictObject({ otp: text, userid: text, key: text });

/** POST /otp/generate and GET /otp/verify, as Textbelt's API. */
@Controller('otp')
@UseFilters(TextbeltErrors)
export class TextbeltOtpController {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly callers: TextbeltCallers,
    private readonly sendOtp: SendOtp,
    private readonly verifyOtp: VerifyOtp,
    private readonly otps: Otps,
  ) {}

  /** The answer has no `otp`: only the recipient and `verify` know the code. */
  @Post('generate')
  @HttpCode(200)
  async generate(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { phone, userid, key, lifetime, length } = parsed(generateFields, body);
    if (!phone || !userid || !key) throw incomplete();
    if (userid.length > limits.referenceCharactersMax)
      throw invalid(`userid: at most ${limits.referenceCharactersMax} characters.`);
    const seconds = wholeNumber('lifetime', lifetime, OTP_SECONDS_DEFAULT, {
      min: otpMinutesMin * SECONDS_PER_MINUTE,
      max: otpMinutesMax * SECONDS_PER_MINUTE,
    });
    const digits = wholeNumber('length', length, otpDigitsDefault, { min: otpDigitsMin, max: otpDigitsMax });
    const caller = await this.callers.admit(key, request, reply);
    const sent = await this.sendOtp.send({
      ...caller,
      to: phone,
      org: undefined,
      domain: undefined,
      digits,
      minutes: Math.floor(seconds / SECONDS_PER_MINUTE),
      ip: undefined,
      device: undefined,
      reference: userid,
      idempotencyKey: undefined,
    });
    return { success: true, textId: sent.messageId, quotaRemaining: quotaOf(sent) };
  }

  /** Verifies the newest code of the user. */
  @Get('verify')
  async verify(
    @Query() query: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { otp, userid, key: apiKey } = parsed(verifyFields, query);
    if (!otp || !userid || !apiKey) throw incomplete();
    const { key, address } = await this.callers.admit(apiKey, request, reply);
    const { accountId } = await this.apiKeys.authenticate(key, address, 'otp');
    const otpId = key.test ? undefined : await this.otps.newestOf(accountId, userid);
    if (otpId === undefined && !key.test) return { success: true, isValidOtp: false };
    const to = key.test ? TEST_RECIPIENT : undefined;
    const { kind } = await this.verifyOtp.verify({ key, address, otp, otpId, to });
    return { success: true, isValidOtp: kind === 'verified' };
  }
}

function wholeNumber(
  name: string,
  given: string | undefined,
  fallback: number,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  if (given === undefined || given === '') return fallback;
  const value = numberOfDigits(given);
  if (value >= min && value <= max) return value;
  throw invalid(`${name}: a whole number from ${min} to ${max}.`);
}
