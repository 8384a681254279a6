<?php
$request = curl_init('https://pennytext.example/api/verifyotp');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => http_build_query([
        'to' => '+12025550142',
        'otp' => '123456',
        'apikey' => 'YOUR_API_KEY',
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
]);
echo curl_exec($request), PHP_EOL;
