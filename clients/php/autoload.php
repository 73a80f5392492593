<?php

// Loads the classes of the library for programs without Composer: `require 'peyk/autoload.php'`.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $prefix = 'Peyk\\';
    $file = __DIR__ . '/src/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    if (str_starts_with($class, $prefix) && is_file($file)) {
        require $file;
    }
});
