<?php

// Makes the calls that the tests order, and prints what came of each. All languages read the same orders.

declare(strict_types=1);

use Peyk\ApiException;
use Peyk\Client;
use Peyk\PeykException;
use Peyk\Proof;
use Peyk\Webhook;

require dirname(__DIR__) . '/autoload.php';
error_reporting(E_ALL);
set_error_handler(static function (int $severity, string $message, string $file, int $line): bool {
    // The library silences what it expects.
    return !(error_reporting() & $severity) || throw new ErrorException($message, 0, $severity, $file, $line);
});

$order = json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR);
$calls = $order['calls'];
unset($order['calls']);

final class Remarks
{
    /** @var list<array<string, mixed>> what the client has told of the call under way */
    public static array $of = [];
}

/** The client of all calls. Its making may fail, as a call may. */
function client(array $order): Client
{
    static $client = null;
    $onRemarks = static function (array $remarks): void {
        Remarks::$of[] = $remarks;
        if (in_array('fail', $remarks['ignored'], true)) {
            throw new RuntimeException('a fault of the program');
        }
    };
    return $client ??= new Client(...$order, onRemarks: $onRemarks);
}

/** The items of a list, the text of a file in base64, and every other value as it is. */
function plain(mixed $value): mixed
{
    if (is_string($value)) {
        return ['base64' => base64_encode($value)];
    }
    return $value instanceof Generator ? iterator_to_array($value, false) : $value;
}

function run(array $order, string $method, array $args, array $options): mixed
{
    if ($method === 'verifyWebhook') {
        $args[0]['body'] = base64_decode($args[0]['body'], true);
        return Webhook::verify(...$args[0]);
    }
    if ($method === 'verifyProof') {
        return Proof::verify(...$args, ...$options);
    }
    return plain(client($order)->$method(...$args, ...$options));
}

/** What the other languages call an exception. */
function kind(PeykException $error): string
{
    return str_replace('Exception', 'Error', (new ReflectionClass($error))->getShortName());
}

function outcome(array $order, array $call): array
{
    try {
        Remarks::$of = [];
        return ['value' => run($order, ...$call), 'remarks' => Remarks::$of];
    } catch (ApiException $error) {
        return ['error' => [
            'kind' => kind($error),
            'message' => $error->getMessage(),
            'idempotencyKey' => $error->idempotencyKey,
            'status' => $error->status,
            'code' => $error->getCode(),
            'title' => $error->title,
            'detail' => $error->detail,
            'errors' => $error->errors,
            'requestId' => $error->requestId,
            'retryAfter' => $error->retryAfter,
        ]];
    } catch (PeykException $error) {
        return ['error' => [
            'kind' => kind($error),
            'message' => $error->getMessage(),
            'idempotencyKey' => $error->idempotencyKey,
            'reason' => $error->reason ?? null,
        ]];
    } catch (InvalidArgumentException | Error $error) {
        return ['error' => ['kind' => 'argument', 'message' => $error->getMessage()]];
    }
}

echo json_encode(array_map(static fn (array $call) => outcome($order, $call), $calls), JSON_THROW_ON_ERROR);
