<?php

// Runs the example with stand-ins for the functions of WordPress and WooCommerce that it calls, as they are documented.
// Prints the notes of the orders.

declare(strict_types=1);

final class Order
{
    public array $notes = [];

    public function __construct(private readonly int $id, private readonly string $phone)
    {
    }

    public function get_billing_phone(): string
    {
        return $this->phone;
    }

    public function get_billing_first_name(): string
    {
        return 'سارا';
    }

    public function get_order_number(): string
    {
        return (string) $this->id;
    }

    public function add_order_note(string $note): int
    {
        $this->notes[] = $note;
        return count($this->notes);
    }
}

$hooks = [];
$queue = [];
$orders = [];

function add_action(string $hook, callable $callback, int $priority = 10, int $accepted = 1): bool
{
    $GLOBALS['hooks'][$hook][] = [$callback, $accepted];
    return true;
}

function do_action(string $hook, mixed ...$args): void
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as [$callback, $accepted]) {
        $callback(...array_slice($args, 0, $accepted));
    }
}

function as_enqueue_async_action(string $hook, array $args = [], string $group = ''): int
{
    $GLOBALS['queue'][] = [$hook, $args];
    return count($GLOBALS['queue']);
}

function wc_get_order(int $id): Order|false
{
    return $GLOBALS['orders'][$id] ?? false;
}

function home_url(): string
{
    return 'https://shop.example';
}

[, $plugin, $job] = $argv;
$job = json_decode($job, true);
define('ABSPATH', '/');
define('PEYK_API_KEY', $job['apiKey']);
define('PEYK_URL', $job['baseUrl']);
foreach ($job['orders'] as [$id, $phone]) {
    $orders[$id] = new Order($id, $phone);
}
require $plugin;
foreach ($job['changes'] as $change) {
    do_action('woocommerce_order_status_changed', ...$change);
}
foreach ($queue as [$hook, $args]) {
    do_action($hook, ...$args);
}
echo json_encode(array_map(fn (Order $order) => $order->notes, $orders));
