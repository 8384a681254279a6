<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->send(
    to: '+12025550142',
    message: 'Your table by the window',
    media: [['url' => 'https://example.com/table.jpg']],
);
print_r([$answer->messageId, $answer->credits]);
