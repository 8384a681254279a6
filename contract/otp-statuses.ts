/** Results of a verification. */
export const otpStatuses = ['verified', 'not_found', 'expired', 'already_used'] as const;
export type OtpStatus = (typeof otpStatuses)[number];

/**
 * States of a one-time password; all but the first are final. `exhausted`: ended by wrong attempts. `unmanaged`: its
 * caller made the code and verifies it.
 */
export const otpStates = ['pending', 'verified', 'expired', 'exhausted', 'blocked', 'unmanaged'] as const;
export type OtpState = (typeof otpStates)[number];

/** Answer 200 of POST /api/verifyotp as text/plain, to the letter of the specification. */
export const otpTexts: Record<OtpStatus, string> = {
  verified: 'OTP verified',
  not_found: 'OTP not found',
  expired: 'OTP expired',
  already_used: 'OTP already used',
};
