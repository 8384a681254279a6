<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->balance();
echo json_encode([$answer->balance, $answer->purchased, $answer->used]), PHP_EOL;
