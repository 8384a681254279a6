<?php

require 'vendor/autoload.php';

$client = new Pennytext\Client(apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example');
$answer = $client->media->upload(file_get_contents('table.jpg'));
print_r([$answer->mediaId, $answer->type, $answer->bytes]);
