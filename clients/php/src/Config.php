<?php

declare(strict_types=1);

namespace Peyk;

/**
 * What a program gives to the client, checked before anything else happens.
 *
 * @internal
 */
final class Config
{
    private const EXAMPLE = 'like https://sms.example.com';
    private const EXPOSED =
        'baseUrl must begin with https://; http:// is for this machine and for the hosts that plainHttpHosts names';
    private const DAY = 86_400;

    /** Never says the key, since errors end up in logs. */
    public static function checkKey(#[\SensitiveParameter] string $apiKey): void
    {
        self::require($apiKey !== '', 'apiKey is missing: give an API key, like peyk_live_…');
        $hasQuote = preg_match('/["\'`]/', $apiKey) === 1;
        self::require(!$hasQuote, 'apiKey has a quote in it: give the key alone, without quotes around it');
        $hasBlank = preg_match('/\s/', $apiKey) === 1;
        self::require(!$hasBlank, 'apiKey has a blank or a line break in it: give the key alone');
        $isVisible = preg_match('/^[\x21-\x7e]+$/D', $apiKey) === 1;
        self::require($isVisible, 'apiKey has a character that no key has: give a key like peyk_live_…');
    }

    /**
     * @param array<mixed> $hosts
     * @return array<string> the names in lower case
     */
    public static function checkedHosts(array $hosts): array
    {
        foreach ($hosts as $host) {
            $isName = is_string($host) && preg_match('/^[\w.:[\]-]+$/D', $host) === 1;
            self::require($isName, "plainHttpHosts must be a list of names without scheme and port, like ['peyk']");
        }
        return array_map(strtolower(...), $hosts);
    }

    /**
     * Returns the address without slashes at its end.
     *
     * @param array<string> $plainHttpHosts
     */
    public static function checkedUrl(string $baseUrl, array $plainHttpHosts): string
    {
        $example = self::EXAMPLE;
        self::require($baseUrl !== '', "baseUrl is missing: give the address of the service, $example");
        $hasBlank = preg_match('/\s/', $baseUrl) === 1;
        self::require(!$hasBlank, "baseUrl has a blank or a line break in it: give the address alone, $example");
        self::require(preg_match('#^https?://#i', $baseUrl) === 1, self::EXPOSED);
        $url = parse_url($baseUrl);
        self::require(isset($url['host']), "baseUrl is no address: give one $example");
        // Others could read the key and the messages on their way.
        $isLoopback = preg_match('/^(localhost|127(\.\d+){3}|\[::1\])$/Di', $url['host']) === 1;
        $isPlainHost = $isLoopback || in_array(strtolower($url['host']), $plainHttpHosts, true);
        self::require(strtolower($url['scheme']) === 'https' || $isPlainHost, self::EXPOSED);
        $hasUser = isset($url['user']) || isset($url['pass']);
        self::require(!$hasUser, "baseUrl has a name or a password in it: give the address alone, $example");
        $hasQuery = strpbrk($baseUrl, '?#') !== false;
        self::require(!$hasQuery, "baseUrl has a ? or a # in it: give the address without a query, $example");
        return rtrim($baseUrl, '/');
    }

    public static function checkLimits(float $timeout, int $maxAttempts, float $maxRetryAfter, ?string $language): void
    {
        self::checkSeconds('timeout', $timeout, 0.001);
        self::checkSeconds('maxRetryAfter', $maxRetryAfter, 0);
        $isWithin = $maxAttempts >= 1 && $maxAttempts <= 100;
        self::require($isWithin, "maxAttempts must be a whole number from 1 to 100, not $maxAttempts");
        $isKnown = in_array($language, [null, 'en', 'fa'], true);
        self::require($isKnown, "language must be 'en' or 'fa', not '$language'");
    }

    private static function checkSeconds(string $name, float $value, float $least): void
    {
        $isWithin = $value >= $least && $value <= self::DAY;
        self::require($isWithin, "$name must be a number of seconds from $least to " . self::DAY . ", not $value");
    }

    private static function require(bool $is, string $words): void
    {
        $is || throw new \InvalidArgumentException($words);
    }
}
