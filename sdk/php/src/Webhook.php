<?php

declare(strict_types=1);

namespace Pennytext;

/** Verification of webhooks, which needs no API key. */
final class Webhook
{
    /**
     * Checks the signature of a webhook (Standard Webhooks) and returns its event.
     *
     * @param string $body The request's body as it came: `file_get_contents('php://input')`.
     * @param iterable<string, string|list<string>> $headers Of `getallheaders()`, PSR-7 or Symfony, or `$_SERVER`.
     * @param string|list<string> $secret The secret of the dashboard; during a rotation both.
     * @param \DateTimeInterface|null $now Replaces the clock.
     * @param int $tolerance Seconds that `webhook-timestamp` may differ from the clock.
     * @throws PennytextException with the code `invalid_webhook` unless the webhook is genuine and recent
     * @throws \InvalidArgumentException for a secret that cannot be used
     */
    public static function verify(
        string $body,
        iterable $headers,
        #[\SensitiveParameter] string|array $secret,
        ?\DateTimeInterface $now = null,
        int $tolerance = 300,
    ): Event {
        // PHP 8.1 shows arguments in traces, with the values that they have then.
        [$secrets, $secret] = [(array) $secret, ''];
        $keys = array_map(
            fn ($one) => base64_decode(preg_replace('/^whsec_/', '', trim((string) $one)), true),
            $secrets,
        );
        if ($keys === [] || in_array('', $keys, true) || in_array(false, $keys, true)) {
            throw new \InvalidArgumentException('A webhook is verified with a secret, which is "whsec_" and base64.');
        }
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $age = abs((float) ($now ?? new \DateTimeImmutable())->format('U.u') - (float) $timestamp);
        if (!preg_match('/^\d+\z/', $timestamp) || $age > $tolerance) {
            throw self::refusal("webhook-timestamp is more than $tolerance seconds from the clock.");
        }
        // Where the header came twice, its values are joined by a comma (RFC 9110, section 5.3). A signature itself
        // can begin with `v` and a digit.
        foreach (preg_split('/[ \t]+|,(?=[ \t]*v\d+[a-z]?,)/', self::header($headers, 'webhook-signature')) as $one) {
            $signature = str_starts_with($one, 'v1,') ? base64_decode(rtrim(substr($one, 3), ','), true) : false;
            foreach ($signature === false ? [] : $keys as $key) {
                if (hash_equals(hash_hmac('sha256', "$id.$timestamp.$body", $key, true), $signature)) {
                    $fields = json_decode($body, true);
                    return is_array($fields) ? new Event($id, $fields) : throw self::refusal('The body is not JSON.');
                }
            }
        }
        throw self::refusal('No signature matches: is this the secret of the dashboard, and the body as it came?');
    }

    /** @param iterable<string, string|list<string>> $headers */
    private static function header(iterable $headers, string $name): string
    {
        foreach ($headers as $key => $value) {
            $known = str_starts_with((string) $key, 'HTTP_') ? strtr(substr($key, 5), '_', '-') : (string) $key;
            if (strtolower($known) === $name) {
                return trim(implode(' ', (array) $value));
            }
        }
        throw self::refusal("The header $name is missing.");
    }

    private static function refusal(string $detail): PennytextException
    {
        return new PennytextException('invalid_webhook', $detail);
    }
}
