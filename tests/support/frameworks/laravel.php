<?php

// Lets the routes of a file take an event, as Laravel serves them. Prints the status of the answer.
//
//   php laravel.php FILE, with {"body", "headers", "secret"} on the standard input.

declare(strict_types=1);

use Illuminate\Config\Repository;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Facade;

require '/usr/share/php/Illuminate/autoload.php';
require dirname(__DIR__, 3) . '/clients/php/autoload.php';
// Laravel 8 is older than this PHP.
error_reporting(E_ALL & ~E_DEPRECATED);

$event = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
$app = new Application(sys_get_temp_dir());
$app->instance('config', new Repository([
    'services' => ['peyk' => ['webhook_secret' => $event['secret']]],
    'logging' => ['default' => 'none', 'channels' => ['none' => ['driver' => 'monolog', 'handler' => Monolog\Handler\NullHandler::class]]],
    'view' => ['paths' => [], 'compiled' => sys_get_temp_dir()],
]));
Facade::setFacadeApplication($app);
foreach ([Illuminate\Filesystem\FilesystemServiceProvider::class, Illuminate\View\ViewServiceProvider::class] as $provider) {
    $app->register($provider);
}
require $argv[1];

$request = Request::create('/peyk', 'POST', content: $event['body']);
$request->headers->add(['content-type' => 'application/json'] + $event['headers']);
$app->instance('request', $request);
echo $app->make('router')->dispatch($request)->getStatusCode(), "\n";
