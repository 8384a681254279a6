import { queryOptions } from '@tanstack/react-query';
import { otpSettingsAnswer, type OtpSettingsAnswer, type OtpSettingsBody } from '#contract/otp-guard.js';
import { call } from './call.js';

const OTP = '/api/dashboard/otp';

/** What verifying a code requires, and the fraud guard. */
export const otpQuery = queryOptions({
  queryKey: ['otp'],
  queryFn: () => call(otpSettingsAnswer, { method: 'GET', path: OTP }),
});

export function changeOtpSettings(body: OtpSettingsBody): Promise<OtpSettingsAnswer> {
  return call(otpSettingsAnswer, { method: 'PUT', path: OTP, body });
}

/** Lets the fraud guard count verified codes from now. */
export function resetOtpGuard(): Promise<OtpSettingsAnswer> {
  return call(otpSettingsAnswer, { method: 'POST', path: `${OTP}/reset` });
}
