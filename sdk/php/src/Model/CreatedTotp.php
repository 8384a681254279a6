<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Model;

use Pennytext\Answer;

final class CreatedTotp extends Answer
{
    /**
     * Id of the authenticator: `TP` and 32 hex digits.
     *
     * @var string
     */
    public readonly ?string $totpId;

    /**
     * Names the person’s account in the app, such as an email address.
     *
     * @var string
     */
    public readonly ?string $label;

    /**
     * Names you in the app; `null` if you left it out.
     *
     * @var string|null
     */
    public readonly ?string $issuer;

    /**
     * The secret in base32, for people who type it into the app. It is not shown again.
     *
     * @var string
     */
    public readonly ?string $secret;

    /**
     * The address that adds it to the app on the same phone. It contains the secret.
     *
     * @var string
     */
    public readonly ?string $otpauthUrl;

    /**
     * The address as a QR code, an SVG image for your page. It contains the secret.
     *
     * @var string
     */
    public readonly ?string $qrSvg;

    /**
     * When it was created, in UTC.
     *
     * @var \DateTimeImmutable
     */
    public readonly ?\DateTimeImmutable $createdAt;

    /**
     * Present if the key was a test key: nothing was stored, and the secret is that of all test keys.
     *
     * @var bool|null
     */
    public readonly ?bool $test;

    /** @param array<string, mixed> $fields */
    public function __construct(array $fields)
    {
        parent::__construct($fields);
        $this->totpId = $this->string('totp_id');
        $this->label = $this->string('label');
        $this->issuer = $this->string('issuer');
        $this->secret = $this->string('secret');
        $this->otpauthUrl = $this->string('otpauth_url');
        $this->qrSvg = $this->string('qr_svg');
        $this->createdAt = $this->time('created_at');
        $this->test = $this->bool('test');
    }
}
