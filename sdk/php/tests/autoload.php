<?php

declare(strict_types=1);

spl_autoload_register(function (string $class): void {
    require __DIR__ . '/../src/' . strtr(substr($class, strlen('Pennytext\\')), '\\', '/') . '.php';
});
