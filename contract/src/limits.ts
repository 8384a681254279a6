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
  tablePageSize: 10,
  redeemCodeCharactersMax: 64,
  /** Codes that an account may try in the window, right or wrong. */
  redeemAttemptsMax: 10,
  redeemWindowSeconds: 600,
} as const;
