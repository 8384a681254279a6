import { Controller, Get, Param, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import { pasted } from '#contract/characters.js';
import { deliverabilityDays, type DeliverabilityDays } from '#contract/deliverability.js';
import {
  type OtpConversionAnswer,
  type OtpLogAnswer,
  otpLogQuery,
  type OtpLogQuery,
  type OtpView,
} from '#contract/otp.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { OtpConversion } from '#core/otp/otp-conversion.js';
import { type OtpFilter, Otps } from '#core/otp/otps.js';
import { messageIdFromPublic, otpIdFromPublic, publicOtpId } from '#core/rules/ids.js';
import { parseRecipient, searchedDigits } from '#core/rules/phone-numbers.js';
import { dayAfter, startOfNewYorkDay } from '#core/rules/time.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './downloads.js';

/** /api/dashboard/otps, /api/dashboard/otps/{otp_id} and /api/dashboard/otp/conversion */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class OtpLogController {
  constructor(
    private readonly otps: Otps,
    private readonly conversions: OtpConversion,
  ) {}

  @Get('otps')
  async list(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: otpLogQuery }) query: OtpLogQuery,
  ): Promise<OtpLogAnswer> {
    return this.otps.list(accountId, query.cursor, filterOf(query));
  }

  @Get('otps/:otpId')
  async find(@SignedIn() { accountId }: SessionAccount, @Param('otpId') otpId: string): Promise<OtpView> {
    return this.otps.find(accountId, otpId);
  }

  @Get('otp/conversion')
  async conversion(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: deliverabilityDays }) days: DeliverabilityDays,
  ): Promise<OtpConversionAnswer> {
    return this.conversions.show(accountId, days);
  }

  @Get('otp/conversion.csv')
  async conversionCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: deliverabilityDays }) days: DeliverabilityDays,
  ): Promise<StreamableFile> {
    return csvDownload('otp-conversion', await this.conversions.csv(accountId, days));
  }
}

function filterOf({ number, text, status, channel, country, key, from, to }: OtpLogQuery): OtpFilter {
  const whole = number === undefined ? undefined : parseRecipient(number)?.e164;
  return {
    recipient: whole,
    digits: number === undefined || whole ? undefined : searchedDigits(number),
    status,
    channel,
    country,
    keyId: key,
    since: from === undefined ? undefined : startOfNewYorkDay(from),
    until: to === undefined ? undefined : startOfNewYorkDay(dayAfter(to)),
    ...(text !== undefined && idOrReference(text)),
  };
}

/** A code has the id of its first message. */
function idOrReference(text: string): OtpFilter {
  const id = pasted(text);
  if (otpIdFromPublic(id)) return { otpId: id };
  const messageId = messageIdFromPublic(id);
  return messageId ? { otpId: publicOtpId(messageId) } : { reference: text.trim() };
}
