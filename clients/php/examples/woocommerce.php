<?php

/**
 * Plugin Name: Peyk for WooCommerce
 * Description: Texts the customer when the status of an order changes, and login codes.
 * Version: 0.1.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 *
 * To install it, put this file into wp-content/plugins/peyk/, and beside it the library (the folder clients/php) as a folder
 * `peyk`. It needs no Composer. Write into wp-config.php:
 *
 *     define('PEYK_API_KEY', 'peyk_live_…'); // with the scopes sms:send and pattern
 *     define('PEYK_URL', 'https://sms.example.com');
 *
 * Then activate the plugin: it makes its patterns in your account. Where the service approves patterns, they send once an
 * operator has done so. To change a text, add a version to its pattern.
 *
 * A form for logging in sends a code by `do_action('peyk_send_login_code', $phone)`, and asks by
 * `apply_filters('peyk_check_login_code', false, $phone, $code)` whether the code is right.
 */

declare(strict_types=1);

namespace Peyk\WooCommerce;

use Peyk\ApiException;
use Peyk\Client;
use Peyk\PeykException;

defined('ABSPATH') || exit;

require_once __DIR__ . '/peyk/autoload.php';

const LOGIN = 'shop-login';

/** The patterns by their slugs: what each is for, and its text. */
const PATTERNS = [
    'order-processing' => ['ثبت سفارش', "سفارش شما با شماره %ORDER% ثبت شد و در حال آماده‌سازی است.\n%SHOP%"],
    'order-completed' => ['تکمیل سفارش', "سفارش شما با شماره %ORDER% تکمیل شد. از خرید شما سپاسگزاریم.\n%SHOP%"],
    'order-cancelled' => ['لغو سفارش', "سفارش شما با شماره %ORDER% لغو شد.\n%SHOP%"],
    'order-refunded' => ['بازگشت وجه', "مبلغ سفارش شماره %ORDER% به حساب شما بازگردانده شد.\n%SHOP%"],
    LOGIN => ['کد ورود', "کد ورود شما: %CODE%\nاین کد را به کسی ندهید.\n%SHOP%"],
];
/** Nobody can see an old code in a list of messages. */
const VARIABLES = [LOGIN => [['name' => 'CODE', 'type' => 'NUMBER', 'maxLength' => 6, 'secret' => true]]];

/** How long a login code works, in seconds, and how often somebody may try to guess it. */
const CODE_SECONDS = 120;
const CODE_TRIES = 5;

register_activation_hook(__FILE__, __NAMESPACE__ . '\\makePatterns');
add_action('woocommerce_order_status_changed', __NAMESPACE__ . '\\enqueue', 10, 3);
add_action('peyk_text_customer', __NAMESPACE__ . '\\textCustomer', 10, 2);
add_action('peyk_send_login_code', __NAMESPACE__ . '\\sendLoginCode');
add_filter('peyk_check_login_code', __NAMESPACE__ . '\\checkLoginCode', 10, 3);

function peyk(): Client
{
    return new Client(PEYK_API_KEY, PEYK_URL, language: 'fa');
}

/** Makes the patterns that the account does not have. What is there already stays as it is. */
function makePatterns(): void
{
    $there = array_column(iterator_to_array(peyk()->listPatterns(), false), 'slug');
    foreach (array_diff_key(PATTERNS, array_flip($there)) as $slug => [$title, $text]) {
        $variables = VARIABLES[$slug] ?? [];
        peyk()->createPattern(['slug' => $slug, 'title' => $title, 'text' => $text, 'variables' => $variables]);
        peyk()->activatePatternVersion($slug, 1);
    }
}

/** Leaves the text to WooCommerce's queue, so that the customer does not wait for it at the checkout. */
function enqueue(int $orderId, string $from, string $to): void
{
    if (isset(PATTERNS["order-$to"])) {
        as_enqueue_async_action('peyk_text_customer', [$orderId, $to], 'peyk');
    }
}

/** Texts the customer. Whatever goes wrong is a note of the order, and does not stop the shop. */
function textCustomer(int $orderId, string $status): void
{
    $order = wc_get_order($orderId);
    if (!$order || $order->get_billing_phone() === '') {
        return;
    }
    $phone = $order->get_billing_phone();
    $send = [
        'pattern' => "order-$status",
        'variables' => ['ORDER' => $order->get_order_number(), 'SHOP' => get_bloginfo('name')],
        'recipient' => $phone,
        'clientRef' => "order-$orderId",
    ];
    // The same text about the same order goes out once a day, however often the hook or the queue runs.
    $key = 'woocommerce-' . hash('sha256', implode('|', [home_url(), $orderId, $phone, $status]));
    try {
        peyk()->sendPattern($send, $key);
    } catch (ApiException $error) {
        $order->add_order_note("پیامک به $phone فرستاده نشد: {$error->detail}");
    } catch (PeykException $error) {
        $order->add_order_note("پیامک به $phone شاید فرستاده نشده باشد: {$error->getMessage()}");
    }
}

/** The digits of what somebody typed on a Persian, an Arabic or an English keyboard. */
function digitsOf(string $typed): string
{
    $eastern = [...mb_str_split('۰۱۲۳۴۵۶۷۸۹'), ...mb_str_split('٠١٢٣٤٥٦٧٨٩')];
    $western = str_split('01234567890123456789');
    return preg_replace('/\D/', '', str_replace($eastern, $western, $typed));
}

/** Where WordPress keeps the code of a phone until it ends. A phone has many forms, which end alike. */
function codeOf(string $phone): string
{
    return 'peyk_code_' . hash('sha256', substr(digitsOf($phone), -10));
}

/** Sends a new code, unless the last one still works. Throws a PeykException, which the form shows as it likes. */
function sendLoginCode(string $phone): void
{
    if (get_transient(codeOf($phone)) !== false) {
        return;
    }
    $code = sprintf('%06d', random_int(0, 999_999));
    $variables = ['CODE' => $code, 'SHOP' => get_bloginfo('name')];
    peyk()->sendPattern(['pattern' => LOGIN, 'variables' => $variables, 'recipient' => $phone]);
    $kept = ['hash' => wp_hash_password($code), 'tries' => 0, 'end' => time() + CODE_SECONDS];
    set_transient(codeOf($phone), $kept, CODE_SECONDS);
}

/** Whether this is the code of the phone. A code works once. */
function checkLoginCode(bool $isRight, string $phone, string $code): bool
{
    $kept = get_transient(codeOf($phone));
    if ($kept === false || $kept['tries'] >= CODE_TRIES || $kept['end'] <= time()) {
        return false;
    }
    if (wp_check_password(digitsOf($code), $kept['hash'])) {
        delete_transient(codeOf($phone));
        return true;
    }
    $kept['tries']++;
    set_transient(codeOf($phone), $kept, $kept['end'] - time());
    return false;
}
