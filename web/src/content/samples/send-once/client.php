<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->send(
    to: '+12025550142',
    message: 'Your order has been shipped.',
    dedupe: 3600,
);
print_r([$answer->messageId, $answer->deduplicated]);
