<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->balance();
print_r([$answer->balance, $answer->purchased, $answer->used]);
