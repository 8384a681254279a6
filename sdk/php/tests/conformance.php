<?php

// Runs the conformance suite of the clients: `php tests/conformance.php http://127.0.0.1:41873`.

declare(strict_types=1);

use Pennytext\Answer;
use Pennytext\Client;
use Pennytext\Event;
use Pennytext\Internal\Clock;
use Pennytext\PennytextException;
use Pennytext\Webhook;

require __DIR__ . '/autoload.php';

// Traces have arguments where php.ini does not leave them out.
ini_set('zend.exception_ignore_args', '0');
final class Canceled extends Exception
{
}

/** Waits take no time, and move the clock. */
final class FakeClock extends Clock
{
    /** @var list<float> */
    public array $waits = [];

    public function __construct(private readonly bool $isCanceled)
    {
    }

    public function now(): float
    {
        return parent::now() + array_sum($this->waits);
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = $seconds;
        $this->isCanceled && throw new Canceled();
    }
}

$camel = fn (string $name): string => lcfirst(str_replace('_', '', ucwords($name, '_')));
$snake = fn (string $name): string => strtolower(preg_replace('/(?<!^)[A-Z]/', '_$0', $name));

/** The typed properties of an answer, by their names on the wire. */
$shown = function (mixed $value) use (&$shown, $snake): mixed {
    if ($value instanceof DateTimeInterface) {
        return $value->format('Y-m-d\TH:i:s.vP');
    }
    if ($value instanceof Answer) {
        $unnamed = array_diff_key(get_object_vars($value), ['fields' => true]);
        $names = array_combine(array_map($snake, array_keys($value->fields)), array_keys($value->fields));
        $keys = array_map(fn ($name) => $names[$snake($name)] ?? $snake($name), array_keys($unnamed));
        return (object) array_map($shown, array_combine($keys, $unnamed));
    }
    return is_array($value) ? array_map($shown, $value) : $value;
};

$post = function (string $url, #[SensitiveParameter] array $body): array {
    $http = ['method' => 'POST', 'content' => json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE)];
    $http['header'] = 'content-type: application/json';
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http])), true);
};

$call = function (#[SensitiveParameter] Client $client, #[SensitiveParameter] array $call) use ($camel): mixed {
    ['name' => $name, 'arguments' => $given] = $call;
    if ($name === 'webhooks.verify') {
        $body = isset($given['body_base64']) ? base64_decode($given['body_base64']) : $given['body'];
        $now = new DateTimeImmutable($given['now']);
        return Webhook::verify($body, $given['headers'], $given['secrets'] ?? $given['secret'], now: $now);
    }
    foreach (array_intersect_key($given, ['send_at' => 1, 'since' => 1, 'until' => 1]) as $field => $time) {
        $given[$field] = new DateTimeImmutable($time);
    }
    if (isset($given['bytes_base64'])) {
        $given = ['bytes' => base64_decode($given['bytes_base64'])];
    }
    $isBulk = isset($given['messages']) || isset($given['recipients']);
    $path = explode('.', $name === 'quote' && $isBulk ? 'quote_bulk' : $name);
    [$method, $group] = [...array_reverse($path), null];
    $arguments = array_combine(array_map($camel, array_keys($given)), $given);
    $key = isset($call['idempotency_key']) ? ['idempotencyKey' => $call['idempotency_key']] : [];
    return ($group === null ? $client : $client->$group)->{$camel($method)}(...$arguments, ...$key);
};

$run = function (#[SensitiveParameter] array $case) use ($call, $shown): array {
    $clock = new FakeClock($case['cancel'] === 'wait');
    $startedAt = hrtime(true);
    foreach (['PENNYTEXT_API_KEY', 'PENNYTEXT_URL'] as $name) {
        putenv(isset($case['environment'][$name]) ? "$name={$case['environment'][$name]}" : $name);
    }
    $texts = [];
    $items = null;
    $outcome = [];
    $options = [
        'apiKey' => $case['client']['api_key'] ?? null,
        'baseUrl' => $case['client']['base_url'] ?? null,
        'maxRetries' => $case['client']['max_retries'] ?? 3,
        'timeout' => ($case['client']['timeout_ms'] ?? 30_000) / 1_000,
        'deadline' => ($case['client']['deadline_ms'] ?? 60_000) / 1_000,
    ];
    try {
        $client = new Client(...$options, clock: $clock);
        $texts = [print_r([$client, (array) $client], true), var_export($client, true), json_encode($client)];
        pcntl_alarm($case['cancel'] === 'try' ? 1 : 0);
        for ($n = 1; $n <= $case['call']['times']; $n++) {
            try {
                $result = $call($client, $case['call']);
                if ($result instanceof Traversable) {
                    $items = [];
                    foreach ($result as $item) {
                        if (array_push($items, $shown($item)) === ($case['call']['take'] ?? null)) {
                            break;
                        }
                    }
                }
                $outcome = ['result' => $items ?? $shown($result)];
            } catch (PennytextException $error) {
                $n < $case['call']['times'] || throw $error;
            }
        }
    } catch (Canceled $error) {
        $outcome = ['canceled' => true];
    } catch (InvalidArgumentException | TypeError $error) {
        $outcome = ['refused' => true];
    } catch (PennytextException $error) {
        $outcome = ['result' => $items, 'error' => [
            'code' => $error->errorCode,
            'detail' => $error->detail,
            'status' => $error->status,
            'request_id' => $error->requestId,
            'retry_after' => $error->retryAfter,
            'fix' => $error->fix,
            'outcome_unknown' => $error->outcomeUnknown,
            'idempotency_key' => $error->idempotencyKey,
            'is' => $error->is($error->errorCode) && !$error->is('no_such_code'),
        ]];
    }
    if (isset($error)) {
        array_push($texts, (string) $error, print_r([$error, $error->getTrace()], true), json_encode($error));
    }
    $elapsed = (hrtime(true) - $startedAt) / 1e6;
    return $outcome + ['waits' => $clock->waits, 'texts' => $texts, 'elapsed_ms' => $elapsed];
};

pcntl_async_signals(true);
pcntl_signal(SIGALRM, fn () => throw new Canceled());
$server = $argv[$argc - 1];
foreach (json_decode(file_get_contents("$server/cases"), true) as $name) {
    $case = $post("$server/cases/$name", []);
    echo json_encode(['name' => $name] + $post("$server/runs/{$case['run']}", $run($case))), "\n";
}
