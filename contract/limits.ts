/**
 * Limits and constants that are enforced by the server and shown on pages. Units come last in
 * names.
 */
export const limits = {
  signupCredits: 3,
  dailyMessagesDefault: 100,
  messageSegmentsMax: 10,
  /** Price of one segment that the operator can set. */
  regionCreditsMax: 50,
  /**
   * Maximum length of a text as sent to us, before "smart" shortens it: four times what ten
   * segments hold. Longer texts are not examined.
   */
  textCharactersMax: 6_120,
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
  /** Size of a body that an error answer shows corrected. */
  fixedBodyBytesMax: 16_384,
  /** Messages of a bulk, and bytes of its body. */
  bulkMessagesMax: 10_000,
  bulkBodyBytesMax: 5_242_880,
  /**
   * Characters of bulks that an account has priced in a minute without sending them, each text
   * counted as `bulkTextWorkMin` at least: some 13 s of the server's time. An account that has
   * never paid has the second limit.
   */
  bulkWorkPerMinuteMax: 20_000_000,
  unpaidBulkWorkPerMinuteMax: 2_000_000,
  bulkTextWorkMin: 160,
  /** Length of a bulk's template: ten segments of text, and room for the names of its variables. */
  templateCharactersMax: 10_000,
  /** Stripe's events hold whole objects with their line items and metadata. */
  stripeEventBytesMax: 1_048_576,
  messagesPageSize: 50,
  batchesPageSize: 20,
  optOutsPageSize: 50,
  apiRequestsPageSize: 25,
  /**
   * Calls of an account and day (UTC) that are all listed. Beyond them one call of so many is
   * listed; the others are counted.
   */
  apiRequestsListedMax: 100_000,
  apiRequestsSampleEvery: 1_000,
  /** Number of calls among which the log's lists of error codes and keys look, newest first. */
  apiRequestsSearchedMax: 10_000,
  apiRequestChoicesMax: 50,
  /** Filters that an account saves for one view. */
  savedFiltersMax: 30,
  savedFilterNameCharactersMax: 80,
  savedFilterQueryCharactersMax: 2_000,
  /** Files of one message, and their bytes together. */
  messageMediaMax: 10,
  messageMediaBytesMax: 5_000_000,
  /**
   * Bytes of all files of a message that US and Canadian networks take from a sender, and from a
   * toll-free number or a short code.
   */
  mmsBytesMax: 1_000_000,
  mmsTollFreeBytesMax: 600_000,
  mmsTextCharactersMax: 1_600,
  /** Price of a message with pictures, unless the operator changes it. */
  mmsCreditsDefault: 3,
  mmsCreditsMax: 1_000,
  /** Time in which all files that a message names by their URLs have to arrive. */
  mediaFetchSeconds: 10,
  /** Field of a multipart body, and what surrounds the file in it. */
  multipartOverheadBytesMax: 16_384,
  /** Average speed that a file's upload must have once the grace period is over. */
  uploadBytesPerSecondMin: 50_000,
  uploadGraceSeconds: 3,
  /** Time for which a quoted price is valid. */
  quoteMinutes: 10,
  dedupeSecondsMax: 86_400,
  maxCreditsMax: 1_000_000_000,
  /** Bounds of how far ahead a message can be scheduled. */
  sendAtSecondsMin: 5,
  sendAtDaysMax: 35,
  /**
   * Bounds of a message's wait for the carrier, if the sender limits it. Twilio takes up to four
   * hours.
   */
  validitySecondsMin: 60,
  validitySecondsMax: 14_400,
  /** Wait for a receipt after which a `fast` message gets another route. */
  hedgeSecondsMin: 8,
  hedgeSecondsMax: 300,
  hedgeSecondsDefault: 20,
  /** Number of non-GSM-7 characters that a quote lists. */
  quoteUnicodeCharactersMax: 10,
  /**
   * Maximum lifetime of a session, and the time without use after which it ends, unless the
   * operator changes them.
   */
  sessionDaysDefault: 30,
  sessionIdleDaysDefault: 7,
  /** Sessions of an account; a further sign-in ends the least recently used session. */
  sessionsMax: 50,
  /** Days for which a browser is remembered; browsers keep no cookie for longer. */
  deviceDaysMax: 400,
  /**
   * Minutes after a sign-in in which a session may replace keys, export data and delete the
   * account.
   */
  freshSignInMinutes: 10,
  /** Days between a customer's request to delete the account and its erasure. */
  accountDeletionGraceDays: 7,
  /** Days for which the dashboard shows an account's API calls. */
  requestLogDaysDefault: 7,
  /** Exports of an account's data per hour. */
  exportsPerHourMax: 5,
  /** PDF files of invoices that an account opens within a minute. */
  invoiceFilesPerMinuteMax: 6,
  displayNameCharactersMax: 100,
  emailCharactersMax: 254,
  passwordCharactersMax: 256,
  /** Lifetimes of the links in emails: to verify an address, and to set a new password. */
  verificationLinkMinutes: 1_440,
  passwordLinkMinutes: 60,
  /** Emails with links of one kind to one account. */
  linkMailsPerHourMax: 3,
  /** Hours for which a rotated API key can stay valid. */
  oldKeyHoursMax: 72,
  /** Keys with names and limits of an account, expired ones included. */
  namedKeysMax: 20,
  keyNameCharactersMax: 60,
  /** Networks that a named key can be bound to. */
  keyAddressesMax: 20,
  keyCreditsMax: 1_000_000_000,
  keyMessagesPerSecondMax: 1_000,
  /** Number of rotated keys of an account that can be valid at the same time. */
  oldKeysMax: 10,
  /** Numbers of an account, unless the operator changes it, and purchases in a New York day. */
  numbersMaxDefault: 10,
  numberPurchasesPerDayMax: 5,
  numberLabelCharactersMax: 60,
  /** Rent of a number in credits a month, unless the operator changes it. */
  numberCreditsLocalDefault: 50,
  numberCreditsTollFreeDefault: 100,
  /** Numbers that a search lists. */
  numbersAvailableMax: 50,
  numbersAvailableDefault: 20,
  /** Searches of one account within a minute: each is a call to the carrier. */
  numberSearchesPerMinuteMax: 60,
  /** Similar numbers that the refusal of a taken number names. */
  similarNumbersMax: 5,
  /**
   * Days for which a number works while its rent is due, and the days on which the owner is
   * notified.
   */
  numberGraceDays: 7,
  numberNoticeDays: [0, 3, 6],
  /** Hours in which a release by an API key can be undone before it takes effect. */
  numberReleaseHours: 24,
  /** Texts of strangers that a number receives and charges in a New York day, unless its owner sets another bound. */
  strangersPerDayDefault: 100,
  strangersPerDayMax: 100_000,
  /** Further texts of strangers per day that are stored, uncharged. */
  limitedStrangersPerDayMax: 1_000,
  /** Days in which no other account can buy a released number. */
  numberRestDays: 90,
  /** Released numbers that a list has, the latest first. */
  releasedNumbersMax: 100,
  /** Newest messages of an account among which the messages of a number are counted. */
  numberTrafficMessagesMax: 5_000,
  /** Pools of an account, and numbers of each. */
  poolsMax: 20,
  poolNameCharactersMax: 60,
  poolNumbersMax: 50,
  webhookUrlCharactersMax: 2_048,
  /** Hours for which webhooks are signed with the previous secret too. */
  oldWebhookSecretHours: 24,
  lowCreditsDefault: 10,
  lowCreditsMax: 1_000_000,
  webhookDeliveriesPageSize: 25,
  /** Retention of finished deliveries and their attempts. */
  webhookDeliveriesKeptDays: 30,
  webhookAttemptsShownMax: 100,
  /** Number of deliveries that a filtered list scans for a page, newest first. */
  webhookDeliveriesSearchedMax: 20_000,
  /** The owner gets an email when every call has failed for so long. */
  webhookFailingMailMinutes: 30,
  /** Days after a message in which its replies are posted to its own URL. */
  callbacksKeptDays: 30,
  /** Length of Textbelt's `webhookData`. */
  webhookDataCharactersMax: 1_000,
  /**
   * Retention of the events of an account that listens. An account listens until it has had no
   * stream for this time.
   */
  eventsKeptDays: 3,
  /** Streams of GET /api/events that a server has open per account, and in total. */
  eventStreamsPerAccountMax: 10,
  eventStreamsMax: 2_000,
  /** Events that one stream replays before the client has to connect again. */
  eventsReplayedMax: 10_000,
  webhookReplayDeliveriesMax: 10_000,
  /** Rate limit of tests, resends and replays per account. */
  webhookActionsPerMinuteMax: 60,
  /** Number of held replies per account; further replies are dropped. */
  heldMessagesMax: 10_000,
  replyCredits: 1,
  /**
   * Replies of one person to one account that are charged and forwarded within an hour; further
   * replies are only stored.
   */
  chargedRepliesPerHourMax: 20,
  /** Files of one reply that are copied from the carrier, and bytes of each. */
  replyMediaMax: 10,
  replyMediaBytesMax: 10_485_760,
  /** A reply is forwarded without files that have not arrived within this time. */
  replyMediaWaitSeconds: 60,
  /**
   * Divides every quota that costs disk or CPU for accounts that have never paid: the files of a
   * day, and the listed calls.
   */
  unpaidQuotaDivisor: 10,
  /** Files that are stored for one account within 24 hours, received and uploaded ones apart. */
  mediaPerDayMax: 1_000,
  mediaBytesPerDayMax: 104_857_600,
  /** Days for which a file is kept, unless texts are erased earlier. */
  mediaKeptDays: 30,
  /** Days for which a signed link to a file works. */
  mediaLinkDaysMax: 7,
  /** Days in which duplicates of a reply are recognized. */
  inboundReceiptsKeptDays: 30,
  /**
   * An account is suspended when more than half of its recipients in these hours were not reached,
   * if there were at least so many.
   */
  suspensionRecipientsMin: 50,
  suspensionHours: 24,
  tablePageSize: 10,
  /** Number of rows that a filtered read of a history scans, newest first. */
  searchedRowsMax: 5_000,
  /** Rows of index-only scans, and of index scans that read scattered rows. */
  searchedNumbersMax: 10_000,
  searchedScatteredRowsMax: 1_000,
  exportBatchRowsMax: 1_000,
  /**
   * People on a page of the conversations, and the messages of either direction that are read for
   * it.
   */
  conversationsPageSize: 25,
  conversationMessagesMax: 1_000,
  /** Messages that a search in texts reads for a page. */
  conversationTextsMax: 5_000,
  /** Largest shown number of people waiting for an answer. */
  unansweredShownMax: 99,
  /** Days of history and incidents of the status page, including today. */
  statusDays: 90,
  /** Days of the message chart, including today. */
  activityDaysDefault: 30,
  activityDaysMax: 90,
  /** New York days and months of the spend: a year, and the month in which it began. */
  spendDaysMax: 366,
  spendMonthsDefault: 6,
  spendMonthsMax: 13,
  /** Keys or countries of the spend, the largest first. */
  spendRowsMax: 100,
  /** New York days of the deliverability figures. */
  deliverabilityDaysDefault: 30,
  deliverabilityDaysMax: 92,
  /** Reasons, countries and keys of the deliverability figures, the largest first. */
  deliverabilityRowsMax: 200,
  /** The newest messages of an account that the dashboard's summary reads. */
  summaryMessagesMax: 1_000,
  searchCharactersMax: 200,
  searchedNumberCharactersMax: 64,
  redeemCodeCharactersMax: 64,
  /** Redeem attempts per account and window, successful or not. */
  redeemAttemptsMax: 10,
  redeemWindowSeconds: 600,
  /** Upper bound of the customer's own limit of automatic top-ups per New York month. */
  topUpsPerMonthMax: 30,
  /** Checkout sessions per account and window, paid or not. */
  checkoutsMax: 20,
  checkoutWindowSeconds: 600,
  /** One-time passwords per page of a list. */
  otpsPageSize: 50,
  /** Flat price of an OTP. */
  otpCredits: 1,
  otpSegmentsMax: 1,
  otpOrgCharactersMax: 40,
  otpMinutesMin: 2,
  otpMinutesMax: 10,
  otpMinutesDefault: 5,
  otpDigitsMin: 4,
  otpDigitsMax: 8,
  otpDigitsDefault: 6,
  /** Characters of a code that its caller has made. */
  otpOwnCodeCharactersMin: 4,
  otpOwnCodeCharactersMax: 10,
  /** Characters of the name of an end user's device. */
  otpDeviceCharactersMax: 200,
  /** Time between resets of the fraud guard by an account, and refusals that it lists. */
  otpGuardResetSeconds: 3_600,
  otpBlocksShownMax: 20,
  /** Wrong tries with `to` after which a code becomes invalid. */
  otpTriesMax: 5,
  /** Guesses at all codes of the shortest length of one recipient and account, named or not. */
  otpShortChancesMax: 25,
  otpShortChancesSeconds: 3_600,
  /**
   * Wrong guesses of the shortest length per account and window without `to`: seven windows touch
   * an hour.
   */
  otpShortGuessesMax: 3,
  /** Window for counting an account's wrong guesses without `to`. */
  otpGuessWindowSeconds: 600,
  /**
   * Waits before the first resend of a code, the second and so on, from the message before. No more
   * resends follow.
   */
  otpResendWaitsSeconds: [30, 60, 120, 300],
  /** Channels of a code, and the seconds after which the next channel is tried. */
  otpStepsMax: 4,
  otpStepWaitSecondsMin: 15,
  otpStepWaitSecondsMax: 300,
  otpStepWaitSecondsDefault: 60,
  /** Hours for which an ended code is still recognized. */
  otpRememberedHours: 24,

  /** Authenticators of an account, and per page of a list. */
  totpsMax: 100_000,
  totpsPageSize: 50,
  totpLabelCharactersMax: 100,
  totpIssuerCharactersMax: 40,
  /** Codes as authenticator apps make them: RFC 6238 with SHA-1. */
  totpDigits: 6,
  totpStepSeconds: 30,
  /** Steps by which the clock of an app may differ. */
  totpDriftSteps: 1,
  /** Wrong tries after which an authenticator is locked, and for how long. */
  totpTriesMax: 10,
  totpLockMinutes: 15,
  totpRecoveryCodes: 10,
  totpRecoveryCodeCharacters: 10,

  /** Hours for which a plug takes its replaced secret. */
  plugOldSecretHours: 24,
  plugSecretCharactersMax: 200,
  plugPathCharactersMax: 200,
  /**
   * Days of the public delivery quality, and the accounts or messages from which a day and country
   * is shown.
   */
  qualityDays: 30,
  qualityAccountsMin: 20,
  qualityMessagesMin: 1_000,
} as const;

/** Numbers of rows per page that histories offer. */
export const tablePageSizes: readonly number[] = [limits.tablePageSize, 25, 50, 100];
