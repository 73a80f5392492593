<?php

/**
 * Plugin Name: Peyk for WooCommerce
 * Description: Texts the customer when the status of an order changes.
 * Version: 0.1.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 *
 * To install it, put this file into wp-content/plugins/peyk/, run `composer require peyk/client` there, and write into
 * wp-config.php:
 *
 *     define('PEYK_API_KEY', 'peyk_live_…');
 *     define('PEYK_URL', 'https://sms.example.com');
 */

declare(strict_types=1);

namespace Peyk\WooCommerce;

use Peyk\ApiException;
use Peyk\Client;
use Peyk\PeykException;

defined('ABSPATH') || exit;

require_once __DIR__ . '/vendor/autoload.php';

/** What the customer reads when an order comes to a status. `%1$s` is the first name, `%2$s` the order's number. */
const TEXTS = [
    'processing' => '%1$s عزیز، سفارش %2$s ثبت شد و در حال آماده‌سازی است.',
    'completed' => '%1$s عزیز، سفارش %2$s تکمیل شد. از خرید شما سپاسگزاریم.',
    'cancelled' => '%1$s عزیز، سفارش %2$s لغو شد.',
    'refunded' => '%1$s عزیز، مبلغ سفارش %2$s بازگردانده شد.',
];

add_action('woocommerce_order_status_changed', __NAMESPACE__ . '\\enqueue', 10, 3);
add_action('peyk_text_customer', __NAMESPACE__ . '\\textCustomer', 10, 2);

/** Leaves the text to WooCommerce's queue, so that the customer does not wait for it at the checkout. */
function enqueue(int $orderId, string $from, string $to): void
{
    if (isset(TEXTS[$to])) {
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
    $text = sprintf(TEXTS[$status], $order->get_billing_first_name(), $order->get_order_number());
    // The same text about the same order goes out once a day, however often the hook or the queue runs.
    $key = 'woocommerce-' . hash('sha256', implode('|', [home_url(), $orderId, $phone, $text]));
    try {
        $peyk = new Client(PEYK_API_KEY, PEYK_URL, language: 'fa');
        $peyk->send(['message' => $text, 'recipients' => [$phone], 'clientRef' => "order-$orderId"], $key);
    } catch (ApiException $error) {
        $order->add_order_note("پیامک به $phone فرستاده نشد: {$error->detail}");
    } catch (PeykException $error) {
        $order->add_order_note("پیامک به $phone شاید فرستاده نشده باشد: {$error->getMessage()}");
    }
}
