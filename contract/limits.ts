/** Limits and constants that are enforced by the server and shown on pages. Units come last in names. */
export const limits = {
  signupCredits: 3,
  dailyMessagesDefault: 100,
  messageSegmentsMax: 10,
  /** Characters of a single-segment message, and of each part of a longer one. */
  gsm7Characters: { single: 160, part: 153 },
  ucs2Characters: { single: 70, part: 67 },
  /** Defaults that the operator can change. */
  keyRequestsPerSecondDefault: 100,
  addressRequestsPerSecondDefault: 200,
  referenceCharactersMax: 64,
  idempotencyKeyCharactersMax: 255,
  idempotencyHours: 24,
  apiBodyBytesMax: 65_536,
  /** Stripe's events hold whole objects with their line items and metadata. */
  stripeEventBytesMax: 1_048_576,
  messagesPageSize: 50,
  /** Number of non-GSM-7 characters that a quote lists. */
  quoteUnicodeCharactersMax: 10,
  /** Maximum lifetime of a session, and the time without use after which it ends, unless the operator changes them. */
  sessionDaysDefault: 30,
  sessionIdleDaysDefault: 7,
  /** Sessions of an account; a further sign-in ends the one that was used least recently. */
  sessionsMax: 50,
  /** How long a browser is remembered; browsers keep no cookie for longer. */
  deviceDaysMax: 400,
  /** How long after a sign-in a session may replace keys, export data and delete the account. */
  freshSignInMinutes: 10,
  /** Days between a customer's request to delete the account and its erasure. */
  accountDeletionGraceDays: 7,
  /** Exports of an account's data per hour. */
  exportsPerHourMax: 5,
  displayNameCharactersMax: 100,
  emailCharactersMax: 254,
  passwordCharactersMax: 256,
  /** How long a rotated API key can stay valid. */
  oldKeyHoursMax: 72,
  /** Number of rotated keys of an account that can be valid at the same time. */
  oldKeysMax: 10,
  webhookUrlCharactersMax: 2_048,
  /** How long webhooks are signed with the previous secret too. */
  oldWebhookSecretHours: 24,
  lowCreditsDefault: 10,
  lowCreditsMax: 1_000_000,
  webhookDeliveriesPageSize: 25,
  /** Retention of finished deliveries and their attempts. */
  webhookDeliveriesKeptDays: 30,
  webhookAttemptsShownMax: 100,
  webhookReplayDeliveriesMax: 10_000,
  /** Rate limit of tests, resends and replays per account. */
  webhookActionsPerMinuteMax: 60,
  /** Number of held replies per account; further replies are dropped. */
  heldMessagesMax: 10_000,
  /** Replies of one person to one account that are charged and forwarded within an hour; further replies are only stored. */
  chargedRepliesPerHourMax: 20,
  /** How long duplicates of a reply are recognized. */
  inboundReceiptsKeptDays: 30,
  /** An account is suspended when more than half of at least so many recipients within so many hours were not reached. */
  suspensionRecipientsMin: 50,
  suspensionHours: 24,
  tablePageSize: 10,
  /** Number of rows that a filtered read of a history scans, newest first. */
  searchedRowsMax: 5_000,
  /** The same for index-only scans, and for index scans that read scattered rows. */
  searchedNumbersMax: 10_000,
  searchedScatteredRowsMax: 1_000,
  exportBatchRowsMax: 1_000,
  /** Days of the message chart, including today. */
  activityDaysDefault: 30,
  activityDaysMax: 90,
  searchCharactersMax: 200,
  searchedNumberCharactersMax: 64,
  redeemCodeCharactersMax: 64,
  /** Redeem attempts per account and window, successful or not. */
  redeemAttemptsMax: 10,
  redeemWindowSeconds: 600,
  /** Checkout sessions per account and window, paid or not. */
  checkoutsMax: 20,
  checkoutWindowSeconds: 600,
  /** Flat price of an OTP. */
  otpCredits: 1,
  otpSegmentsMax: 1,
  otpOrgCharactersMax: 40,
  /** Lifetime of an OTP. */
  otpMinutesMin: 2,
  otpMinutesMax: 10,
  otpMinutesDefault: 5,
  otpDigitsMin: 4,
  otpDigitsMax: 8,
  otpDigitsDefault: 6,
  /** Characters of the name of an end user's device. */
  otpDeviceCharactersMax: 200,
  /** How often an account can reset the fraud guard, and how many refusals it lists. */
  otpGuardResetSeconds: 3_600,
  otpBlocksShownMax: 20,
  /** Wrong tries with `to` after which a code becomes invalid. */
  otpTriesMax: 5,
  /** Guesses at all codes of the shortest length of one recipient and account, named or not. */
  otpShortChancesMax: 25,
  otpShortChancesSeconds: 3_600,
  /** Wrong guesses of this length per account and window without `to`: seven windows touch an hour. */
  otpShortGuessesMax: 3,
  /** Window for counting an account's wrong guesses without `to`. */
  otpGuessWindowSeconds: 600,
  /** Waits before the first resend of a code, the second and so on, from the message before. There are no more resends. */
  otpResendWaitsSeconds: [30, 60, 120, 300],
  /** How long an ended code is still recognized. */
  otpRememberedHours: 24,
} as const;
