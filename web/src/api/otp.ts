import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeliverabilityDays } from '#contract/deliverability.js';
import type { OtpStepBody } from '#contract/otp-channels.js';
import {
  type OtpConversionAnswer,
  otpConversionAnswer,
  otpLogAnswer,
  otpView,
  type SendOtpAnswer,
  sendOtpAnswer,
} from '#contract/otp.js';
import { call, searchOf } from './call.js';

const OTPS = '/api/dashboard/otps';
const CONVERSION = '/api/dashboard/otp/conversion';

/** Prefix of every query about codes. */
export const otpsKey = ['otps'] as const;

/** A page of the account's one-time passwords, newest first, filtered as in contract/otp. */
export const otpLogQuery = (query: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: [...otpsKey, 'log', query],
    queryFn: () => call(otpLogAnswer, { method: 'GET', path: `${OTPS}?${searchOf(query)}` }),
    placeholderData: keepPreviousData,
  });

/** One code. Fails with kind `refused` when the account has no such code any more. */
export const otpDetailsQuery = (otpId: string) =>
  queryOptions({
    queryKey: [...otpsKey, 'one', otpId],
    queryFn: () => call(otpView, { method: 'GET', path: `${OTPS}/${encodeURIComponent(otpId)}` }),
  });

export interface SendOtpRequest {
  readonly to: string;
  readonly apikey: string;
  /** Channels in order; undefined for SMS alone. */
  readonly channels?: readonly OtpStepBody[] | undefined;
  /** Maximum of credits for all channels together. */
  readonly max_credits?: number;
  /** Stays the same for every attempt of one code, so that it is sent only once. */
  readonly idempotencyKey: string;
}

/** Sends a code through the public API. */
export function sendOtp({ idempotencyKey, ...body }: SendOtpRequest): Promise<SendOtpAnswer> {
  return call(sendOtpAnswer, {
    method: 'POST',
    path: '/api/sendotp',
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
}

/** Number of codes sent on these days, and of verified codes. */
export const otpConversionQuery = (days: DeliverabilityDays) =>
  queryOptions<OtpConversionAnswer>({
    queryKey: [...otpsKey, 'conversion', days],
    queryFn: () => call(otpConversionAnswer, { method: 'GET', path: `${CONVERSION}?${searchOf(days)}` }),
    placeholderData: keepPreviousData,
  });

/** Address of the CSV file of the same figures. */
export const otpConversionCsvPath = (days: DeliverabilityDays): string => `${CONVERSION}.csv?${searchOf(days)}`;
