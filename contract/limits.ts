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
  /** Characters outside GSM-7 that a quote names. */
  quoteUnicodeCharactersMax: 10,
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
  /** How long the secret before this one still signs webhooks. */
  oldWebhookSecretHours: 24,
  lowCreditsDefault: 10,
  lowCreditsMax: 1_000_000,
  webhookDeliveriesPageSize: 25,
  /** Deliveries and their attempts are kept this long after their end. */
  webhookDeliveriesKeptDays: 30,
  webhookAttemptsShownMax: 100,
  webhookReplayDeliveriesMax: 10_000,
  /** Tests, resends and replays of one account. */
  webhookActionsPerMinuteMax: 60,
  /** Replies of one account that wait for credits; what comes beyond them is dropped. */
  heldMessagesMax: 10_000,
  /** A repeat of a reply is known as one for so long. */
  inboundReceiptsKeptDays: 30,
  tablePageSize: 10,
  /** Rows that one filtered read of a history looks through, the newest ones first. */
  searchedRowsMax: 5_000,
  /** The same where an index answers alone, and where it leads to rows that lie apart, each of which costs a read. */
  searchedNumbersMax: 10_000,
  searchedScatteredRowsMax: 1_000,
  exportBatchRowsMax: 1_000,
  /** Days that the chart of messages goes back, today included. */
  activityDaysDefault: 30,
  activityDaysMax: 90,
  searchCharactersMax: 200,
  searchedNumberCharactersMax: 64,
  redeemCodeCharactersMax: 64,
  /** Codes that an account may try in the window, right or wrong. */
  redeemAttemptsMax: 10,
  redeemWindowSeconds: 600,
  /** Checkouts that an account may open in the window, paid or not. */
  checkoutsMax: 20,
  checkoutWindowSeconds: 600,
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
