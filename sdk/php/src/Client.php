<?php

declare(strict_types=1);

namespace Pennytext;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Clock;
use Pennytext\Internal\PsrSender;
use Pennytext\Internal\StreamSender;
use Pennytext\Internal\Transport;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Client of the Pennytext API. Every call throws PennytextException with a stable `errorCode`. Calls that failed on
 * the way are repeated with one Idempotency-Key, so that nothing is sent or charged twice.
 */
final class Client extends Calls
{
    /**
     * @param string|null $apiKey The secret of your key: `PENNYTEXT_API_KEY` of the environment unless you set it.
     * @param string|null $baseUrl Address of the service, without `/api`: `PENNYTEXT_URL` unless you set it.
     * @param int $maxRetries Maximum of repetitions of a failed call.
     * @param float $timeout Longest time of each try, in seconds. A PSR-18 client has its own.
     * @param float $deadline Longest time of a call with its tries and waits, in seconds.
     * @param ClientInterface|null $httpClient Replaces PHP's own streams. It must not follow redirects.
     * @param RequestFactoryInterface|null $requestFactory The client itself unless you set it.
     * @param StreamFactoryInterface|null $streamFactory The request factory itself unless you set it.
     * @param Clock $clock Replaced in tests only.
     * @throws \InvalidArgumentException for a key or an address that cannot be used
     */
    public function __construct(
        #[\SensitiveParameter] ?string $apiKey = null,
        ?string $baseUrl = null,
        int $maxRetries = 3,
        float $timeout = 30.0,
        float $deadline = 60.0,
        ?ClientInterface $httpClient = null,
        ?RequestFactoryInterface $requestFactory = null,
        ?StreamFactoryInterface $streamFactory = null,
        Clock $clock = new Clock(),
    ) {
        // PHP 8.1 shows arguments in traces, with the values that they have then.
        [$key, $apiKey] = [$apiKey ?? Arguments::environment('PENNYTEXT_API_KEY'), null];
        if ($key === '') {
            throw new \InvalidArgumentException('Pennytext needs an apiKey, or PENNYTEXT_API_KEY in the environment.');
        }
        if (!preg_match('/^[\x21-\x7e]+\z/', $key)) {
            throw new \InvalidArgumentException('The apiKey has a space, a line break or another odd character.');
        }
        $address = Arguments::baseUrl($baseUrl ?? Arguments::environment('PENNYTEXT_URL'));
        $requestFactory ??= $httpClient;
        $sender = $httpClient === null
            ? new StreamSender()
            : new PsrSender($httpClient, $requestFactory, $streamFactory ?? $requestFactory);
        parent::__construct(new Transport($key, $address, $maxRetries, $timeout, $deadline, $sender, $clock));
    }
}
