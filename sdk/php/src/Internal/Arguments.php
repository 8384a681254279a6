<?php

declare(strict_types=1);

namespace Pennytext\Internal;

/**
 * Checks of arguments, and their form on the wire.
 *
 * @internal
 */
final class Arguments
{
    /** Fields that are digits, and yet texts: an integer has no plus and no leading zero. */
    private const TEXTS = ['to', 'from', 'sender', 'otp', 'otp_id', 'code', 'number'];
    /** The other fields of a recipient are values of the template, which may be numbers. */
    private const TEXTS_OF_RECIPIENT = ['to'];

    /**
     * Leaves out null, and formats times.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    public static function fields(#[\SensitiveParameter] array $fields): array
    {
        self::check(self::TEXTS, [$fields, ...$fields['messages'] ?? [], ...$fields['channels'] ?? []]);
        self::check(self::TEXTS_OF_RECIPIENT, $fields['recipients'] ?? []);
        $given = array_filter($fields, fn ($value) => $value !== null);
        return array_map(fn ($value) => $value instanceof \DateTimeInterface ? self::time($value) : $value, $given);
    }

    /**
     * @param list<string> $names
     * @param iterable<mixed> $objects
     */
    private static function check(array $names, #[\SensitiveParameter] iterable $objects): void
    {
        foreach ($objects as $object) {
            $values = (array) $object;
            foreach ($names as $name) {
                if (!is_string($values[$name] ?? '')) {
                    throw new \InvalidArgumentException("$name must be a string, such as '+12025550142'.");
                }
            }
        }
    }

    /** Returns an id as a part of a path. */
    public static function id(mixed $id): string
    {
        if (!is_string($id) || in_array($id, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException('An id must be a string that is not empty, "." or "..".');
        }
        return rawurlencode($id);
    }

    /** Returns an address without slashes at its end. It is in no exception, because it may contain a password. */
    public static function baseUrl(#[\SensitiveParameter] string $given): string
    {
        [$url, $given] = [$given, ''];
        $parts = preg_match('~^https?://[^\s?#\x00-\x20\x7f-\xff]+\z~i', $url) ? parse_url($url) : false;
        if (!isset($parts['host']) || isset($parts['user']) || isset($parts['pass'])) {
            throw new \InvalidArgumentException(
                $url === ''
                    ? 'Pennytext needs a baseUrl, or PENNYTEXT_URL in the environment.'
                    : 'The baseUrl must be such as https://sms.example.com, without password, query and fragment.',
            );
        }
        return rtrim($url, '/');
    }

    public static function idempotencyKey(?string $given): string
    {
        $key = $given ?? bin2hex(random_bytes(16));
        if (!preg_match('/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?\z/', $key)) {
            throw new \InvalidArgumentException('An idempotencyKey is a text of printable ASCII characters.');
        }
        return $key;
    }

    public static function environment(string $name): string
    {
        return (string) ($_ENV[$name] ?? getenv($name));
    }

    /** RFC 3339 with an offset, and with a fraction where there is one. */
    private static function time(\DateTimeInterface $time): string
    {
        return $time->format((int) $time->format('u') === 0 ? 'Y-m-d\TH:i:sp' : 'Y-m-d\TH:i:s.up');
    }
}
