<?php

declare(strict_types=1);

namespace Pennytext;

use Pennytext\Internal\Arguments;
use Pennytext\Internal\Transport;

/**
 * A list that is read page by page while you iterate. Each `foreach` begins at the first page.
 *
 * @template T of Answer
 * @implements \IteratorAggregate<int, T>
 */
final class Pages implements \IteratorAggregate
{
    /** @var array<string, mixed> */
    private readonly array $query;

    /**
     * @param array<string, mixed> $query
     * @param class-string<T> $class
     * @internal
     */
    public function __construct(
        private readonly Transport $transport,
        private readonly string $path,
        array $query,
        private readonly string $field,
        private readonly string $class,
    ) {
        $this->query = Arguments::fields($query);
    }

    /**
     * @return \Generator<int, T>
     * @throws PennytextException
     */
    public function getIterator(): \Generator
    {
        $cursor = null;
        do {
            $query = [...$this->query, 'cursor' => $cursor];
            $page = $this->transport->call('GET', $this->path, query: $query);
            foreach (array_filter((array) ($page[$this->field] ?? []), 'is_array') as $fields) {
                yield new $this->class($fields);
            }
            [$before, $cursor] = [$cursor, $page['next_cursor'] ?? null];
            if ($cursor !== null && $cursor === $before) {
                throw new PennytextException('invalid_answer', 'The next page is the same page.');
            }
        } while (is_string($cursor) && $cursor !== '');
    }
}
