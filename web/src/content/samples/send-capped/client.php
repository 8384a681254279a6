<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->send(
    to: '+4915123456789',
    message: 'Hello from Pennytext',
    maxCredits: 2,
);
print_r([$answer->messageId, $answer->credits]);
