<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext\Calls;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Repeat;
use Pennytext\Internal\Transport;
use Pennytext\Model;
use Pennytext\Pages;

/** Calls of `$client->totp`. */
final class Totp
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create an authenticator.
     *
     * Makes a secret that you share with an authenticator app: codes of 6 digits, a new one every 30 seconds (RFC
     * 6238 with SHA-1). The secret is shown once, as text, as an address and as a QR code. Ask for a code of the
     * app before you rely on it. It is free, and an account has up to 100,000.
     *
     * @param string $label Names the person’s account in the app, such as an email address: up to 100 characters on
     *     one line, without a colon.
     * @param string|null $issuer Names you in the app: up to 40 characters on one line, without a colon.
     * @throws \Pennytext\PennytextException
     */
    public function create(
        string $label,
        ?string $issuer = null,
    ): Model\CreatedTotp {
        return new Model\CreatedTotp($this->transport->call(
            'POST',
            '/api/totp',
            body: [
                'label' => $label,
                'issuer' => $issuer,
            ],
            repeat: Repeat::Once,
        ));
    }

    /**
     * List authenticators.
     *
     * Your authenticators without their secrets, newest first, 50 per page.
     *
     * @return Pages<Model\ListedTotp>
     */
    public function list(): Pages
    {
        return new Pages(
            $this->transport,
            '/api/totp',
            [],
            'totps',
            Model\ListedTotp::class,
        );
    }

    /**
     * Show an authenticator.
     *
     * Its state, never its secret. Authenticators of other accounts are not found.
     *
     * @param string $totpId
     * @throws \Pennytext\PennytextException
     */
    public function get(
        string|int|float $totpId,
    ): Model\Totp {
        return new Model\Totp($this->transport->call(
            'GET',
            '/api/totp/' . Arguments::id($totpId),
        ));
    }

    /**
     * Delete an authenticator.
     *
     * Deletes the secret and the recovery codes at once. The app still shows codes, which are not found.
     *
     * @param string $totpId
     * @throws \Pennytext\PennytextException
     */
    public function delete(
        string|int|float $totpId,
    ): Model\TotpDeleted {
        return new Model\TotpDeleted($this->transport->call(
            'DELETE',
            '/api/totp/' . Arguments::id($totpId),
        ));
    }

    /**
     * Verify a code of an app.
     *
     * Verifies a code of the app, or a recovery code. A code of the app is accepted while it is shown, and 30
     * seconds before and after, for clocks that differ; each once, in their order. After 10 wrong codes it is
     * locked for 15 minutes. It costs nothing.
     *
     * @param string $totpId
     * @param string $code The 6 digits that the app shows, or a recovery code, as the person entered it: as text,
     *     because it may begin with 0. Spaces, dashes and small letters are read.
     * @throws \Pennytext\PennytextException
     */
    public function verify(
        string|int|float $totpId,
        #[\SensitiveParameter] string|int|float $code,
    ): Model\TotpVerdict {
        return new Model\TotpVerdict($this->transport->call(
            'POST',
            '/api/totp/' . Arguments::id($totpId) . '/verify',
            body: [
                'code' => $code,
            ],
            repeat: Repeat::Once,
        ));
    }

    /**
     * Make recovery codes.
     *
     * Makes 10 codes for a person who has lost the phone, in place of earlier ones. They are shown once. Each is
     * accepted once, by the call that verifies codes of the app.
     *
     * @param string $totpId
     * @throws \Pennytext\PennytextException
     */
    public function recoveryCodes(
        string|int|float $totpId,
    ): Model\RecoveryCodes {
        return new Model\RecoveryCodes($this->transport->call(
            'POST',
            '/api/totp/' . Arguments::id($totpId) . '/recovery-codes',
            body: [],
            repeat: Repeat::Once,
        ));
    }
}
