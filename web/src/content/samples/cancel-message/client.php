<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->messages->cancel('YOUR_MESSAGE_ID');
print_r([$answer->status, $answer->refunded]);
