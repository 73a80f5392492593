<?php

declare(strict_types=1);

namespace Peyk;

/** Verifies webhooks as Standard Webhooks 1.0 says. */
final class Webhook
{
    /**
     * Verifies that a webhook is from Peyk and new, and returns true.
     *
     * @param string $body the body as it came, before any parsing: file_get_contents('php://input')
     * @param array<string, string> $headers with names in upper or lower case: getallheaders()
     * @param string|list<string> $secrets the endpoint's secret (whsec_…), or several of them while you change it
     * @param int $tolerance how far, in seconds, the webhook's time may be from $now
     * @param ?int $now seconds since 1970
     * @throws SignatureException if it is not, or if a header is missing
     * @throws \InvalidArgumentException if a secret is missing or malformed
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): bool {
        // A wrong secret is a fault of this program, so it shows before anything else.
        $keys = array_map(self::keyOf(...), (array) $secrets);
        if ($keys === []) {
            throw new \InvalidArgumentException('there is no webhook secret');
        }
        $headers = array_change_key_case($headers);
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (!is_string($headers[$name] ?? null)) {
                throw new SignatureException("the header $name is missing");
            }
        }
        $timestamp = $headers['webhook-timestamp'];
        if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new SignatureException('the header webhook-timestamp is no time');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new SignatureException('the webhook is too old or too new');
        }
        foreach ($keys as $key) {
            $mac = hash_hmac('sha256', "{$headers['webhook-id']}.$timestamp.$body", $key, true);
            foreach (explode(' ', $headers['webhook-signature']) as $signature) {
                if (hash_equals('v1,' . base64_encode($mac), $signature)) {
                    return true;
                }
            }
        }
        throw new SignatureException('no signature of the webhook is by this secret');
    }

    private static function keyOf(string $secret): string
    {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        // Anybody can sign with an empty key, so a setting that is missing must not become one.
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('a webhook secret is `whsec_` and base64');
        }
        return $key;
    }
}
