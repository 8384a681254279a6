<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->otp->verify(to: '+12025550142', otp: '123456');
print_r([$answer->status]);
