/** One-time passwords: what callers may choose, and what bounds guessing and sending. */
export const otpFacts = {
  credits: 1,
  lengthMin: 4,
  lengthMax: 8,
  lengthDefault: 6,
  minutesMin: 2,
  minutesMax: 10,
  minutesDefault: 5,
  orgCharactersMax: 40,
  wrongTriesMax: 5,
  codesPerNumberMax: 5,
  windowMinutes: 10,
  rememberedHours: 24,
} as const;

export const otpVerdicts = ['OTP verified', 'OTP not found', 'OTP expired', 'OTP already used'] as const;

/** What a test key verifies, in the order of the verdicts. */
export const otpTestCodes = ['123456', '000001', '000002', '000003'] as const;
