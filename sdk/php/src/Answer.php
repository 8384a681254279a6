<?php

declare(strict_types=1);

namespace Pennytext;

/** An answer of the API, or an object in it. Properties are null where a field is missing or of an unexpected type. */
class Answer implements \JsonSerializable
{
    /** @param array<string, mixed> $fields All fields as they came, with those that this version does not know. */
    public function __construct(public readonly array $fields)
    {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return $this->fields;
    }

    protected function string(string $name): ?string
    {
        return is_string($this->fields[$name] ?? null) ? $this->fields[$name] : null;
    }

    protected function int(string $name): ?int
    {
        return is_int($this->fields[$name] ?? null) ? $this->fields[$name] : null;
    }

    protected function float(string $name): ?float
    {
        $value = $this->fields[$name] ?? null;
        return is_int($value) || is_float($value) ? (float) $value : null;
    }

    protected function bool(string $name): ?bool
    {
        return is_bool($this->fields[$name] ?? null) ? $this->fields[$name] : null;
    }

    protected function time(string $name): ?\DateTimeImmutable
    {
        $text = $this->string($name) ?? '';
        return preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\z/', $text)
            ? (date_create_immutable($text) ?: null)
            : null;
    }

    /** @return array<mixed>|null */
    protected function array(string $name): ?array
    {
        return is_array($this->fields[$name] ?? null) ? $this->fields[$name] : null;
    }

    /**
     * @template T of Answer
     * @param class-string<T> $class
     * @return T|null
     */
    protected function object(string $name, string $class): ?Answer
    {
        $fields = $this->array($name);
        return $fields === null ? null : new $class($fields);
    }

    /**
     * @template T of Answer
     * @param class-string<T> $class
     * @return list<T>|null
     */
    protected function objects(string $name, string $class): ?array
    {
        $items = $this->array($name);
        return $items === null
            ? null
            : array_map(fn ($item) => new $class($item), array_values(array_filter($items, 'is_array')));
    }
}
