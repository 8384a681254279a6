<?php
$request = curl_init('https://pennytext.example/api/sendotp');
curl_setopt_array($request, [
    CURLOPT_POSTFIELDS => http_build_query([
        'to' => '+12025550142',
        'org' => 'Acme',
        'apikey' => 'YOUR_API_KEY',
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
]);
echo curl_exec($request), PHP_EOL;
