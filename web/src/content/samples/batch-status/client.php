<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->batches->get('YOUR_BATCH_ID');
print_r([$answer->messages, $answer->statuses]);
