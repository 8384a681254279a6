import { Injectable } from '@nestjs/common';
import type { DeliverabilityDays } from '#contract/deliverability.js';
import { limits } from '#contract/limits.js';
import type { OtpChannel } from '#contract/otp-channels.js';
import type { OtpConversionAnswer } from '#contract/otp.js';
import { rangeOf } from '../figures/deliverability.js';
import { csvFile } from '../platform/database/history.js';
import { Postgres } from '../platform/database/postgres.js';

/** Codes of one day and country, or a sum over the fields that are null. */
export interface OtpCount {
  readonly day: string | null;
  readonly country: string | null;
  readonly sent: number;
  readonly verified: number;
}

/** Parameters: account, first and last day. */
export const otpSumsStatement = {
  name: 'otp-sums-1',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, country, sum(sent)::float8 AS sent, sum(verified)::float8 AS verified
FROM otp_days WHERE account_id = $1 AND day BETWEEN $2 AND $3 AND sent > 0
GROUP BY GROUPING SETS ((day), (country))
ORDER BY day, country`,
} as const;

/** Parameters: account, first and last day. */
export const otpCountsStatement = {
  name: 'otp-counts-1',
  text: `
SELECT to_char(day, 'YYYY-MM-DD') AS day, country, sent::float8 AS sent, verified::float8 AS verified
FROM otp_days WHERE account_id = $1 AND day BETWEEN $2 AND $3 AND sent > 0
ORDER BY otp_days.day DESC, country`,
} as const;

/** Parameters: account, first and last day. */
export const channelCountsStatement = {
  name: 'otp-channel-counts-1',
  text: `
SELECT channel, country, sum(sent)::float8 AS sent, sum(verified)::float8 AS verified
FROM otp_channel_days WHERE account_id = $1 AND day BETWEEN $2 AND $3
GROUP BY channel, country ORDER BY sum(sent) DESC, channel, country`,
} as const;

/** Steps of a channel and country that were begun, and the codes entered after them. */
export interface ChannelCount {
  readonly channel: OtpChannel;
  readonly country: string;
  readonly sent: number;
  readonly verified: number;
}

const csvHead = ['Day (New York)', 'Country', 'Sent', 'Verified', 'Verified %'];

/** Verified share of an account's one-time passwords, by country and day. */
@Injectable()
export class OtpConversion {
  constructor(private readonly postgres: Postgres) {}

  /** Throws `invalid_request` when the days are too many or in the wrong order. */
  async show(accountId: string, asked: DeliverabilityDays, now = new Date()): Promise<OtpConversionAnswer> {
    const { from, to } = rangeOf(asked, now);
    const sums = await this.postgres.query<OtpCount>(otpSumsStatement, [accountId, from, to]);
    const channels = await this.postgres.query<ChannelCount>(channelCountsStatement, [accountId, from, to]);
    const days = sums.flatMap(({ day, sent, verified }) => (day === null ? [] : [{ day, ...shared(sent, verified) }]));
    const total = (figure: 'sent' | 'verified') => days.reduce((sum, one) => sum + one[figure], 0);
    return {
      success: 'true',
      from,
      to,
      ...shared(total('sent'), total('verified')),
      countries: sums
        .flatMap(({ country, sent, verified }) => (country === null ? [] : [{ country, ...shared(sent, verified) }]))
        .slice(0, limits.deliverabilityRowsMax),
      days,
      channels: channels
        .map(({ channel, country, sent, verified }) => ({ channel, country, ...shared(sent, verified) }))
        .slice(0, limits.deliverabilityRowsMax),
    };
  }

  /** Returns every count as a CSV file, newest day first. Throws as {@link show} does. */
  async csv(accountId: string, asked: DeliverabilityDays, now = new Date()): Promise<AsyncGenerator<string>> {
    const { from, to } = rangeOf(asked, now);
    const counts = await this.postgres.query<OtpCount>(otpCountsStatement, [accountId, from, to]);
    return csvFile(csvHead, [counts], ({ day, country, sent, verified }) => [
      day,
      country,
      sent,
      verified,
      shared(sent, verified).verified_percent,
    ]);
  }
}

function shared(sent: number, verified: number) {
  return { sent, verified, verified_percent: sent === 0 ? null : Math.round((verified * 1_000) / sent) / 10 };
}
