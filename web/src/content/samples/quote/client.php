<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->quote(to: '+12025550142', message: 'Hello from Pennytext');
print_r([$answer->credits, $answer->quote, $answer->expiresAt]);
