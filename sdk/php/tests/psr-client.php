<?php

// Makes a call by a client of PSR-18, whose interfaces are declared here as far as they are used.

declare(strict_types=1);

namespace Psr\Http\Client {
    interface ClientExceptionInterface extends \Throwable
    {
    }
    interface ClientInterface
    {
    }
}

namespace Psr\Http\Message {
    interface RequestFactoryInterface
    {
    }
    interface StreamFactoryInterface
    {
    }
}

namespace {
    use Psr\Http\Client\ClientExceptionInterface;
    use Psr\Http\Client\ClientInterface;
    use Psr\Http\Message\RequestFactoryInterface;
    use Psr\Http\Message\StreamFactoryInterface;

    require __DIR__ . '/autoload.php';

    final class Unreachable extends \RuntimeException implements ClientExceptionInterface
    {
        public function __construct(public readonly Request $request)
        {
            parent::__construct('The host is unreachable.');
        }
    }

    /** A request, and the answer to it. */
    final class Request
    {
        /** @var array<string, string> */
        private array $headers = [];
        private int $read = 0;

        public function __construct(private readonly string $method, private readonly string $url)
        {
        }

        public function withBody(string $body): static
        {
            return $this;
        }

        public function withHeader(string $name, string $value): static
        {
            $this->headers[$name] = "$name: $value";
            return $this;
        }

        public function getBody(): static
        {
            return $this;
        }

        public function eof(): bool
        {
            return $this->read > 0;
        }

        public function read(int $bytes): string
        {
            $this->read++;
            $http = ['method' => $this->method, 'header' => array_values($this->headers)];
            return file_get_contents($this->url, false, stream_context_create(['http' => $http]));
        }

        /** @return array<string, list<string>> */
        public function getHeaders(): array
        {
            return ['X-Request-Id' => ['req-1']];
        }

        public function getStatusCode(): int
        {
            return 200;
        }
    }

    final class Http implements ClientInterface, RequestFactoryInterface, StreamFactoryInterface
    {
        public function __construct(private readonly bool $isReachable)
        {
        }

        public function createRequest(string $method, string $url): Request
        {
            return new Request($method, $url);
        }

        public function createStream(string $text): string
        {
            return $text;
        }

        public function sendRequest(Request $request): Request
        {
            return $this->isReachable ? $request : throw new Unreachable($request);
        }
    }

    ini_set('zend.exception_ignore_args', '0');
    echo (new Pennytext\Client(httpClient: new Http(true)))->balance()->balance, "\n";
    try {
        (new Pennytext\Client(maxRetries: 0, httpClient: new Http(false)))->balance();
    } catch (Pennytext\PennytextException $error) {
        echo $error->getMessage(), "\n";
        echo str_contains(print_r($error, true), getenv('PENNYTEXT_API_KEY')) ? 'key' : 'no key', "\n";
    }
}
