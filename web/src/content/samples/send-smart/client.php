<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->send(
    to: '+12025550142',
    message: '“See you at 6…”',
    encoding: 'smart',
);
print_r([$answer->encoding, $answer->message]);
