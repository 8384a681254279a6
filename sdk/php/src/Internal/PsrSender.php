<?php

declare(strict_types=1);

namespace Pennytext\Internal;

use Pennytext\PennytextException;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Sends requests by a client of PSR-18, which bounds the time of a try itself.
 *
 * @internal
 */
final class PsrSender
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    /**
     * @param \Closure(): array<string, string> $headers
     * @throws PennytextException
     */
    public function send(
        string $method,
        string $url,
        \Closure $headers,
        #[\SensitiveParameter] string $body,
        float $seconds,
    ): Response {
        $request = $this->requests->createRequest($method, $url)->withBody($this->streams->createStream($body));
        foreach ($headers() as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        try {
            $response = $this->client->sendRequest($request);
            $answer = '';
            for ($from = $response->getBody(); strlen($answer) <= Response::BYTES_MAX && !$from->eof();) {
                $answer .= $from->read(65_536);
            }
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // The exception itself has the request, and with it the key.
            throw new PennytextException('connection_failed', $error->getMessage() ?: $error::class);
        }
        $values = array_change_key_case(array_map(fn ($all) => implode(', ', $all), $response->getHeaders()));
        return new Response($response->getStatusCode(), $values, $answer);
    }
}
