<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class Notification extends Answer
{
    public const CODE_WEBHOOK_OFF = 'webhook_off';
    public const CODE_WEBHOOK_FAILING = 'webhook_failing';
    public const CODE_CREDITS_EMPTY = 'credits_empty';
    public const CODE_CREDITS_LOW = 'credits_low';
    public const CODE_SENDING_SUSPENDED = 'sending_suspended';
    public const CODE_CODES_PAUSED = 'codes_paused';
    public const CODE_MESSAGES_FILTERED = 'messages_filtered';
    public const CODE_NUMBER_PAST_DUE = 'number_past_due';
    public const CODE_NUMBER_FILTERED = 'number_filtered';
    public const CODE_KEY_BUDGET = 'key_budget';
    public const CODE_PAYMENT_DISPUTED = 'payment_disputed';
    public const CODE_TOP_UP_OFF = 'top_up_off';
    public const CODE_TOP_UP_DECLINED = 'top_up_declined';
    public const CODE_TOP_UP_CONFIRM = 'top_up_confirm';
    public const CODE_TOP_UP_PAUSED = 'top_up_paused';
    public const CODE_TOP_UP_LIMIT = 'top_up_limit';
    public const CODE_ACCOUNT_DELETION = 'account_deletion';
    public const CODE_WELCOME_EMAIL_FAILED = 'welcome_email_failed';
    public const SEVERITY_CRITICAL = 'critical';
    public const SEVERITY_WARNING = 'warning';

    /** @var string */
    public readonly ?string $id;

    /** @var string */
    public readonly ?string $code;

    /** @var string */
    public readonly ?string $severity;

    /** @var \DateTimeImmutable|null */
    public readonly ?\DateTimeImmutable $since;

    /** @var string */
    public readonly ?string $message;

    /** @var string */
    public readonly ?string $action;

    /** @var string */
    public readonly ?string $url;

    /** @var array<string, mixed> */
    public readonly ?array $figures;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->id = $this->string('id');
        $this->code = $this->string('code');
        $this->severity = $this->string('severity');
        $this->since = $this->time('since');
        $this->message = $this->string('message');
        $this->action = $this->string('action');
        $this->url = $this->string('url');
        $this->figures = $this->array('figures');
    }
}
