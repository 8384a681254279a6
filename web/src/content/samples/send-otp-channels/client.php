<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->otp->send(
    to: '+12025550142',
    channels: [
        ['channel' => 'sms', 'wait_seconds' => 45],
        ['channel' => 'email', 'to' => 'ann@example.com'],
    ],
    maxCredits: 2,
);
print_r([$answer->otpId, $answer->nextChannel, $answer->nextChannelAt]);
