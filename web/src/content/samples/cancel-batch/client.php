<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->batches->cancel('YOUR_BATCH_ID');
print_r([$answer->canceled, $answer->refunded]);
