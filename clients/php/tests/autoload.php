<?php

// Loads classes as Composer does by composer.json.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $root = dirname(__DIR__);
    $rules = json_decode(file_get_contents("$root/composer.json"), true)['autoload']['psr-4'];
    foreach ($rules as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = "$root/$folder" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            is_file($file) && require $file;
        }
    }
});
