/** Limits and constants of the product that both sides show or enforce. Units last. */
export const limits = {
  signupCredits: 3,
  dailyMessagesDefault: 100,
  messageSegmentsMax: 10,
  referenceCharactersMax: 64,
  idempotencyKeyCharactersMax: 255,
  idempotencyHours: 24,
  apiBodyBytesMax: 65_536,
  messagesPageSize: 50,
  /** A session ends after so many days, and earlier when it is not used for the shorter time. */
  sessionDaysMax: 30,
  sessionIdleDaysMax: 7,
  displayNameCharactersMax: 100,
  emailCharactersMax: 254,
  passwordCharactersMax: 256,
  /** How long a rotated API key may live on. */
  oldKeyHoursMax: 72,
  /** Rotated keys of one account that are valid at the same time. */
  oldKeysMax: 10,
  webhookUrlCharactersMax: 2_048,
  tablePageSize: 10,
  redeemCodeCharactersMax: 64,
  /** Codes that an account may try in the window, right or wrong. */
  redeemAttemptsMax: 10,
  redeemWindowSeconds: 600,
  /** A one-time password's price, flat. */
  otpCredits: 1,
  otpSegmentsMax: 1,
  otpOrgCharactersMax: 40,
  /** How long a one-time password lives. */
  otpMinutesMin: 2,
  otpMinutesMax: 10,
  otpMinutesDefault: 5,
  otpDigitsMin: 4,
  otpDigitsMax: 8,
  otpDigitsDefault: 6,
  /** Codes to one number of one account in the window. */
  otpSendsMax: 5,
  otpSendWindowSeconds: 600,
  /** A code dies after so many wrong tries with its `to`. */
  otpTriesMax: 5,
  /** Without `to`, an account's wrong guesses are counted in this window. */
  otpGuessWindowSeconds: 600,
  /** How long a code is known after its end. */
  otpRememberedHours: 24,
} as const;
