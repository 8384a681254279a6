/** Limits and constants of the product that both sides show or enforce. Units last. */
export const limits = {
  signupCredits: 3,
  dailyMessagesDefault: 100,
  messageSegmentsMax: 10,
  /** Characters of a message in one segment, and of each segment when there are several. */
  gsm7Characters: { single: 160, part: 153 },
  ucs2Characters: { single: 70, part: 67 },
  /** What holds where the operator has set nothing else. */
  keyRequestsPerSecondDefault: 100,
  addressRequestsPerSecondDefault: 200,
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
} as const;
