<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->batches->cancel('YOUR_BATCH_ID');
echo json_encode([$answer->canceled, $answer->refunded]), PHP_EOL;
