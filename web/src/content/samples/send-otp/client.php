<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->otp->send(to: '+12025550142', org: 'Acme');
print_r([$answer->otpId, $answer->messageId]);
