import { type CarrierCodes, remedies } from './carrier-codes.js';

/**
 * Twilio's codes that only WhatsApp and calls meet, by its error dictionary
 * (https://www.twilio.com/docs/api/errors). They are added to the codes of text messages.
 */
export const twilioChannelCodes: CarrierCodes = {
  13223: {
    class: 'number',
    reason: 'Number cannot be called',
    meaning: 'The carrier cannot call this number.',
    permanent: true,
    remedy: remedies.correctNumber,
  },
  13224: {
    class: 'number',
    reason: 'Number cannot be called',
    meaning: 'The carrier does not call this number, or its country is not enabled for calls.',
    permanent: true,
    remedy: remedies.writeToSupport,
  },
  13227: {
    class: 'number',
    reason: 'Country not enabled for calls',
    meaning: 'The carrier account does not call this country.',
    permanent: true,
    remedy: remedies.writeToSupport,
  },
  21215: {
    class: 'number',
    reason: 'Country not enabled for calls',
    meaning: 'The carrier account does not call this country.',
    permanent: true,
    remedy: remedies.writeToSupport,
  },
  63003: {
    class: 'number',
    reason: 'Not on WhatsApp',
    meaning: 'WhatsApp does not know this number.',
    permanent: true,
    remedy: 'Send the code by another channel.',
  },
  63016: {
    class: 'content',
    reason: 'Refused by WhatsApp',
    meaning: 'WhatsApp did not take the message, because it was not sent as an approved template.',
    permanent: true,
    remedy: remedies.writeToSupport,
  },
  63024: {
    class: 'number',
    reason: 'Not on WhatsApp',
    meaning: 'The person cannot get messages by WhatsApp.',
    permanent: true,
    remedy: 'Send the code by another channel.',
  },
};

/** Replies of mail servers (RFC 5321, section 4.2.3). */
export const smtpCodes: CarrierCodes = {
  550: {
    class: 'number',
    reason: 'No such mailbox',
    meaning: 'The mail server does not know the address, or refuses mail to it.',
    permanent: true,
    remedy: 'Ask the person for another address.',
  },
  551: {
    class: 'number',
    reason: 'Address has moved',
    meaning: 'The mail server does not take mail to this address any more.',
    permanent: true,
    remedy: 'Ask the person for another address.',
  },
  552: {
    class: 'number',
    reason: 'Mailbox full',
    meaning: 'The mailbox of the address is full.',
    permanent: false,
    remedy: 'Send the code by another channel.',
  },
  553: {
    class: 'number',
    reason: 'Address refused',
    meaning: 'The mail server does not take an address of this form.',
    permanent: true,
    remedy: 'Ask the person for another address.',
  },
  554: {
    class: 'content',
    reason: 'Refused by the mail server',
    meaning: 'The mail server refused the message.',
    permanent: false,
    remedy: 'Send the code by another channel, and tell support if it goes on.',
  },
};
