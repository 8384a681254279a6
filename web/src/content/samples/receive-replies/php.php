<?php
// Run with: php -S 0.0.0.0:8080 receive-replies.php
$secret = base64_decode(preg_replace('/^whsec_/', '', 'YOUR_WEBHOOK_SECRET'));
$body = file_get_contents('php://input');

if (!isFromPennytext($secret, $body)) {
    http_response_code(401);
    exit;
}
$reply = json_decode($body, true);
error_log("{$reply['MessageId']} from {$reply['Sender']}: {$reply['Message']}");

function isFromPennytext(string $secret, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    // Anything older than five minutes may be a replayed request.
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
