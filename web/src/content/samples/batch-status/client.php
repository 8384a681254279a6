<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->batches->get('YOUR_BATCH_ID');
echo json_encode([$answer->messages, $answer->statuses]), PHP_EOL;
