<?php

// Tells whether a client shows its key where programs print or store objects.

declare(strict_types=1);

require __DIR__ . '/autoload.php';

$client = new Pennytext\Client();
ob_start();
var_dump($client, $client->messages);
print_r([$client, (array) $client]);
var_export($client);
echo json_encode($client), new ReflectionObject($client);
$shown = ob_get_clean();
try {
    $stored = serialize($client);
} catch (LogicException) {
    $stored = 'not serialized';
}
$key = getenv('PENNYTEXT_API_KEY');
echo str_contains($shown . $stored, $key) ? 'shown' : 'hidden', ", $stored";
