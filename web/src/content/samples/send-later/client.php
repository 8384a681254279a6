<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->send(
    to: '+12025550142',
    message: 'See you at 10',
    sendAt: new DateTimeImmutable('+1 day'),
);
print_r([$answer->messageId, $answer->status, $answer->sendAt]);
