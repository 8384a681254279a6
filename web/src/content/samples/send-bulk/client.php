<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->sendBulk(
    message: 'Hi {{name}}, your order is ready.',
    recipients: [
        ['to' => '+12025550142', 'name' => 'Ada'],
        ['to' => '+12025550143', 'name' => 'Grace', 'reference' => 'order-1043'],
    ],
    idempotencyKey: 'orders-of-march-5',
);
print_r([$answer->batchId, $answer->accepted, $answer->credits]);
