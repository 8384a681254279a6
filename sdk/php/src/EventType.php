<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext;

/** Types of webhooks. */
final class EventType
{
    /** A reply was received. */
    public const MESSAGE_RECEIVED = 'message.received';
    /** A message that leaves later was accepted. */
    public const MESSAGE_SCHEDULED = 'message.scheduled';
    /** The carrier accepted a message. */
    public const MESSAGE_SENT = 'message.sent';
    /** A message was handed to another route. */
    public const MESSAGE_REROUTED = 'message.rerouted';
    /** A message was delivered. */
    public const MESSAGE_DELIVERED = 'message.delivered';
    /** The carrier could not deliver a message. */
    public const MESSAGE_UNDELIVERED = 'message.undelivered';
    /** A message was not sent. */
    public const MESSAGE_FAILED = 'message.failed';
    /** You canceled a message. */
    public const MESSAGE_CANCELED = 'message.canceled';
    /** The files of a reply are settled that was forwarded before they were there. */
    public const MESSAGE_MEDIA_READY = 'message.media_ready';
    /** The carrier accepted a one-time password. */
    public const OTP_SENT = 'otp.sent';
    /** A one-time password was verified. */
    public const OTP_VERIFIED = 'otp.verified';
    /** A one-time password ended after too many wrong attempts. */
    public const OTP_FAILED = 'otp.failed';
    /** A one-time password expired. */
    public const OTP_EXPIRED = 'otp.expired';
    /** The fraud guard refused a one-time password. */
    public const OTP_BLOCKED = 'otp.blocked';
    /** The balance fell below your threshold. */
    public const CREDITS_LOW = 'credits.low';
    /** The credits used on a New York day reached your threshold. */
    public const CREDITS_DAILY_SPEND = 'credits.daily_spend';
    /** A number was bought, or its rent was paid after it was due. */
    public const NUMBER_ACTIVE = 'number.active';
    /** The balance does not cover the rent of a number. */
    public const NUMBER_PAST_DUE = 'number.past_due';
    /** A number is not yours any more. */
    public const NUMBER_RELEASED = 'number.released';
    /** Carriers filter the messages of a number, so its pools leave it out. */
    public const NUMBER_FILTERED = 'number.filtered';

    /** Classes of the data of events. */
    public const DATA = [
        'message.received' => Model\MessageReceivedData::class,
        'message.scheduled' => Model\MessageScheduledData::class,
        'message.sent' => Model\MessageSentData::class,
        'message.rerouted' => Model\MessageReroutedData::class,
        'message.delivered' => Model\MessageDeliveredData::class,
        'message.undelivered' => Model\MessageUndeliveredData::class,
        'message.failed' => Model\MessageFailedData::class,
        'message.canceled' => Model\MessageCanceledData::class,
        'message.media_ready' => Model\MessageMediaReadyData::class,
        'otp.sent' => Model\OtpSentData::class,
        'otp.verified' => Model\OtpVerifiedData::class,
        'otp.failed' => Model\OtpFailedData::class,
        'otp.expired' => Model\OtpExpiredData::class,
        'otp.blocked' => Model\OtpBlockedData::class,
        'credits.low' => Model\CreditsLowData::class,
        'credits.daily_spend' => Model\CreditsDailySpendData::class,
        'number.active' => Model\NumberActiveData::class,
        'number.past_due' => Model\NumberPastDueData::class,
        'number.released' => Model\NumberReleasedData::class,
        'number.filtered' => Model\NumberFilteredData::class,
    ];
}
