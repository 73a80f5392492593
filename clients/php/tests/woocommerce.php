<?php

// Runs the example with stand-ins for the functions of WordPress and WooCommerce that it calls, as they are documented.
// Prints the notes of the orders, and whether the login codes were taken: a wrong one, the right one, and that once more.

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
$transients = [];
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

function add_filter(string $hook, callable $callback, int $priority = 10, int $accepted = 1): bool
{
    return add_action($hook, $callback, $priority, $accepted);
}

function apply_filters(string $hook, mixed $value, mixed ...$args): mixed
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as [$callback, $accepted]) {
        $value = $callback(...array_slice([$value, ...$args], 0, $accepted));
    }
    return $value;
}

function register_activation_hook(string $file, callable $callback): void
{
    add_action('activate', $callback, accepted: 0);
}

function set_transient(string $name, mixed $value, int $seconds = 0): bool
{
    $GLOBALS['transients'][$name] = $value;
    return true;
}

function get_transient(string $name): mixed
{
    return $GLOBALS['transients'][$name] ?? false;
}

function delete_transient(string $name): bool
{
    unset($GLOBALS['transients'][$name]);
    return true;
}

function wp_hash_password(string $password): string
{
    return password_hash($password, PASSWORD_DEFAULT);
}

function wp_check_password(string $password, string $hash): bool
{
    return password_verify($password, $hash);
}

function get_bloginfo(string $show): string
{
    return 'فروشگاه نمونه';
}

/** The code that the phone has got last. */
function codeInMessages(string $phone): string
{
    $messages = new Peyk\Client(PEYK_API_KEY, PEYK_URL);
    preg_match('/\d{6}/', $messages->listMessages(recipient: $phone)->current()['message'], $found);
    return $found[0];
}

/** The code as a Persian keyboard writes it. */
function eastern(string $code): string
{
    return str_replace(str_split('0123456789'), mb_str_split('۰۱۲۳۴۵۶۷۸۹'), $code);
}

/** What becomes of a wrong code, the right one, and that once more. */
function tryCodes(string $phone): array
{
    do_action('peyk_send_login_code', $phone);
    do_action('peyk_send_login_code', $phone);
    $code = codeInMessages($phone);
    $isTaken = fn (string $given) => apply_filters('peyk_check_login_code', false, $phone, $given);
    return [$isTaken($code === '000000' ? '000001' : '000000'), $isTaken(eastern($code)), $isTaken($code)];
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
if ($job['activates']) {
    do_action('activate');
    do_action('activate');
}
foreach ($job['changes'] as $change) {
    do_action('woocommerce_order_status_changed', ...$change);
}
foreach ($queue as [$hook, $args]) {
    do_action($hook, ...$args);
}
echo json_encode([
    'notes' => array_map(fn (Order $order) => $order->notes, $orders),
    'codes' => $job['activates'] ? tryCodes('09351234567') : [],
]);
