/** A call of the clients, where its name and shape do not follow from the contract. */
export interface CallName {
  /** As in the conformance suite. */
  readonly name: string;
  readonly summary?: string;
  /** `once`: a lost answer is not asked for again. */
  readonly repeat?: 'keyed' | 'once';
  readonly isUpload?: true;
  /** Parameters of the query: those that it does not take, and those that are always the same. */
  readonly without?: readonly string[];
  readonly fixed?: Readonly<Record<string, string>>;
  /** Schemas, where the operation has several. */
  readonly body?: string;
  readonly answer?: string;
}

/** The calls of the clients, by the operation of the contract. */
export const callNames: Readonly<Record<string, readonly CallName[]>> = {
  sendSms: [{ name: 'send' }],
  sendBulk: [{ name: 'send_bulk' }],
  quote: [
    { name: 'quote', summary: 'Price a message', body: 'SendSmsRequest', answer: 'Quote' },
    { name: 'quote_bulk', summary: 'Price a bulk', body: 'SendBulkRequest', answer: 'BulkQuote' },
    {
      name: 'quote_otp',
      summary: 'Price a one-time password with channels',
      body: 'SendOtpRequest',
      answer: 'OtpQuote',
    },
  ],
  balance: [{ name: 'balance' }],
  findMessage: [{ name: 'messages.get' }],
  messageRecord: [{ name: 'messages.record' }],
  listMessages: [{ name: 'messages.list' }],
  cancelMessage: [{ name: 'messages.cancel' }],
  findBatch: [{ name: 'batches.get' }],
  listBatches: [{ name: 'batches.list' }],
  listBatchMessages: [{ name: 'batches.messages' }],
  cancelBatch: [{ name: 'batches.cancel' }],
  sendOtp: [{ name: 'otp.send' }],
  resendOtp: [{ name: 'otp.resend' }],
  verifyOtp: [{ name: 'otp.verify', repeat: 'once' }],
  findOtp: [{ name: 'otp.get' }],
  listOtps: [{ name: 'otp.list' }],
  otpConversion: [{ name: 'otp.conversion' }],
  otpGuard: [{ name: 'otp.guard' }],
  createTotp: [{ name: 'totp.create', repeat: 'once' }],
  listTotps: [{ name: 'totp.list' }],
  findTotp: [{ name: 'totp.get' }],
  verifyTotp: [{ name: 'totp.verify', repeat: 'once' }],
  replaceRecoveryCodes: [{ name: 'totp.recovery_codes', repeat: 'once' }],
  deleteTotp: [{ name: 'totp.delete' }],
  uploadMedia: [{ name: 'media.upload', repeat: 'keyed', isUpload: true }],
  listOptOuts: [{ name: 'optouts.list' }],
  notifications: [{ name: 'notifications' }],
  deliverability: [{ name: 'deliverability' }],
  spend: [{ name: 'spend' }],
  exposure: [{ name: 'exposure' }],
  availableNumbers: [{ name: 'numbers.available' }],
  buyNumber: [{ name: 'numbers.buy' }],
  listNumbers: [{ name: 'numbers.list' }],
  findNumber: [{ name: 'numbers.get' }],
  changeNumber: [{ name: 'numbers.change' }],
  releaseNumber: [
    { name: 'numbers.release', without: ['cancel'] },
    { name: 'numbers.keep', summary: 'Undo a release', without: ['at', 'cancel'], fixed: { cancel: 'true' } },
  ],
  putPool: [{ name: 'pools.put' }],
  listPools: [{ name: 'pools.list' }],
  findPool: [{ name: 'pools.get' }],
  deletePool: [{ name: 'pools.delete' }],
  triggerEvent: [{ name: 'trigger', repeat: 'once' }],
};

/**
 * Operations that only the TypeScript client has, because their answers are streams, and figures of
 * the whole service, which need no key.
 */
export const leftOutOperations: readonly string[] = [
  'findMedia',
  'streamEvents',
  'deliveryQuality',
  'regions',
  'serviceStatus',
];

/** Schemas of the operations that are left out, and one that the contract has only for its documentation. */
export const leftOutSchemas: readonly string[] = ['DeliveryQuality', 'Regions', 'ServiceStatus', 'MessageMedia'];

/** Names of objects that the contract does not name, where the field's own would say too little. */
export const typeNames: Readonly<Record<string, string>> = {
  SendSmsRequestMedia: 'MediaSource',
  SendBulkRequestMessage: 'BulkMessage',
  SendOtpRequestChannel: 'OtpChannel',
  OtpQuoteChannel: 'ChannelPrice',
  AcceptedMessageMedia: 'MessageFile',
  AcceptedBulkRejected: 'RejectedMessage',
  OtpMessageReason: 'FailureReason',
  OptOutsOptout: 'OptOut',
  NotificationsNotification: 'Notification',
  ExposureSwitche: 'ExposureSwitch',
  SpendMonthKey: 'SpendKey',
  MessageRecordAttemptList: 'RecordedAttempt',
  MessageRecordTransition: 'RecordedTransition',
  MessageRecordRefund: 'RecordedRefund',
  MessageRecordLedger: 'RecordedEntry',
  RecordedEntrySeal: 'LedgerSeal',
  MessageRecordCallback: 'RecordedCallback',
  MessageRecordWebhook: 'RecordedWebhook',
  RecordedWebhookAttemptList: 'WebhookAttempt',
  MessageRecordRemoved: 'RemovedPart',
  MessageReceivedDataMedia: 'ReceivedFile',
  MessageMediaReadyDataMedia: 'ReadyFile',
};
