<?php
// PHP: php verify.php ID TIMESTAMP SIGNATURES SECRET < body

const TOLERANCE_SECONDS = 300;

/** Whether a webhook is genuine. $body is the request's body as it came: file_get_contents('php://input'). */
function is_genuine(string $id, string $timestamp, string $signatures, string $body, string $secret): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

[, $id, $timestamp, $signatures, $secret] = $argv;
exit(is_genuine($id, $timestamp, $signatures, stream_get_contents(STDIN), $secret) ? 0 : 1);
