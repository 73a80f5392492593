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
     * @param iterable<string, mixed> $headers those of the request: getallheaders(), $_SERVER, what PSR-7's getHeaders()
     *     returns, or the `headers` of a request of Laravel or Symfony. Names may be in upper or lower case, and values lists
     * @param string|list<string> $secrets the endpoint's secret (whsec_…), or several of them while you change it
     * @param int $tolerance how far, in seconds, the webhook's time may be from $now
     * @param ?int $now seconds since 1970
     * @throws SignatureException if it is not, or if a header is missing
     * @throws \InvalidArgumentException if a secret is missing or malformed
     */
    public static function verify(
        string $body,
        iterable $headers,
        #[\SensitiveParameter] string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): bool {
        // A wrong secret is a fault of this program, so it shows before anything else.
        $keys = array_map(self::keyOf(...), (array) $secrets);
        if ($keys === []) {
            throw new \InvalidArgumentException('there is no webhook secret');
        }
        $given = self::byName($headers);
        $id = self::read($given, 'webhook-id');
        $timestamp = self::read($given, 'webhook-timestamp');
        $signatures = self::read($given, 'webhook-signature');
        if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new SignatureException('the header webhook-timestamp is no time');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new SignatureException('the webhook is too old or too new');
        }
        foreach ($keys as $key) {
            $mac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
            foreach (explode(' ', $signatures) as $signature) {
                if (hash_equals('v1,' . base64_encode($mac), $signature)) {
                    return true;
                }
            }
        }
        throw new SignatureException('no signature of the webhook is by this secret');
    }

    /**
     * The headers by the names that they have in HTTP. $_SERVER calls `webhook-id` `HTTP_WEBHOOK_ID`.
     *
     * @return array<string, mixed>
     */
    private static function byName(iterable $headers): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            $name = strtr(strtolower((string) $name), '_', '-');
            $given[str_starts_with($name, 'http-') ? substr($name, 5) : $name] = $value;
        }
        return $given;
    }

    /** The value of a header. The values of a list count as if spaces stood between them. */
    private static function read(array $given, string $name): string
    {
        $values = (array) ($given[$name] ?? []);
        if ($values === [] || array_filter($values, is_string(...)) !== $values) {
            throw new SignatureException("the header $name is missing");
        }
        return implode(' ', $values);
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
