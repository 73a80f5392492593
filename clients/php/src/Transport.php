<?php

declare(strict_types=1);

namespace Peyk;

/** Makes requests for one account, and tries again what may be tried again. */
abstract class Transport
{
    /** The version of this library. */
    public const VERSION = '0.1.0';

    /** The first wait, in seconds, before a retry that the server gave no time for. It doubles with each one. */
    private const FIRST_WAIT = 0.5;

    /** This answer says that nothing was done. */
    private const TOO_MANY_REQUESTS = 429;

    /** This one leaves it open, as no answer does. */
    private const UNAVAILABLE = 503;

    private const ITEMS_PER_PAGE = 200;

    private readonly string $baseUrl;

    /** @var array<string, string> */
    private readonly array $headers;

    private readonly ?\Closure $onRemarks;

    /**
     * @param string $apiKey `peyk_live_…` or `peyk_test_…`
     * @param string $baseUrl the address of the service, like `https://sms.example.com`; `http` is for this
     *     machine, and for $plainHttpHosts
     * @param float $timeout seconds that a try waits for the connection, and then for each next piece of the answer
     * @param int $maxAttempts how often a request is tried at most, the first time included
     * @param float $maxRetryAfter the longest Retry-After, in seconds, that the client waits for
     * @param ?string $language of the title and the detail of errors, `en` or `fa`; if left out, the service decides
     * @param array<string> $plainHttpHosts hosts that the client calls by `http` too, like `['peyk']` in a network of containers;
     *     whoever reads that network reads the key and the messages
     * @param ?callable(array{request: string, requestId: string, warnings: list<string>, ignored: list<string>}): void $onRemarks
     *     called after each answer that says what the service has done and may not have been meant so; without it, nobody hears of it
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        private readonly float $timeout = 30,
        private readonly int $maxAttempts = 3,
        private readonly float $maxRetryAfter = 30,
        ?string $language = null,
        array $plainHttpHosts = [],
        ?callable $onRemarks = null,
    ) {
        Config::checkKey($apiKey);
        $this->baseUrl = Config::checkedUrl($baseUrl, Config::checkedHosts($plainHttpHosts));
        $this->onRemarks = $onRemarks === null ? null : $onRemarks(...);
        Config::checkLimits($timeout, $maxAttempts, $maxRetryAfter, $language);
        $headers = ['Authorization' => "Bearer $apiKey", 'User-Agent' => 'peyk-php/' . self::VERSION];
        $this->headers = $language === null ? $headers : [...$headers, 'Accept-Language' => $language];
    }

    /**
     * Makes a request that the library has no method for, with the same retries and errors.
     *
     * @param string $path that of the API, like `/messages`
     * @param array<string, string|int|float|bool|null> $query by names; what is null is left out
     * @param array<mixed>|string|null $body an array becomes JSON, and one that has only numbers for keys a list; a text goes out as
     *     it is, and $headers says what it is
     * @param array<string, string> $headers
     * @param ?bool $repeatable whether the request may be tried again when nobody knows whether it was carried out; if
     *     left out: yes, unless it is a POST without an idempotency key
     * @return array<string, mixed>|string|null the whole answer, with `data` and `meta`; null after a 204, and the text
     *     of a file
     */
    public function request(
        string $method,
        string $path,
        array $query = [],
        array|string|null $body = null,
        array $headers = [],
        ?string $idempotencyKey = null,
        ?bool $repeatable = null,
    ): array|string|null {
        $method = strtoupper($method);
        $own = $this->headers;
        if ($body !== null) {
            $own['Content-Type'] = is_array($body) ? 'application/json' : 'application/octet-stream';
        }
        if ($idempotencyKey !== null) {
            $own['Idempotency-Key'] = $idempotencyKey;
        }
        $lines = self::lines(self::merged($own, $headers));
        $url = $this->urlOf($path, $query);
        $content = self::contentOf($body);
        $repeatable ??= $method !== 'POST' || $idempotencyKey !== null;
        $answer = $this->tries([$method, $url, $lines, $content], $idempotencyKey, $repeatable);
        $this->tellRemarks("$method $path", is_array($answer) ? $answer['meta'] ?? [] : []);
        return $answer;
    }

    /** @param array{string, string, list<string>, string} $request */
    private function tries(array $request, ?string $idempotencyKey, bool $repeatable): array|string|null
    {
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->attempt(...$request);
            } catch (PeykException $error) {
                $error->idempotencyKey = $idempotencyKey;
                $wait = $this->waitBeforeRetry($error, $attempt, $repeatable);
                if ($wait === null) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function tellRemarks(string $request, array $meta): void
    {
        $remarks = ['warnings' => $meta['warnings'] ?? [], 'ignored' => $meta['ignored'] ?? []];
        if ($this->onRemarks !== null && ($remarks['warnings'] || $remarks['ignored'])) {
            try {
                ($this->onRemarks)(['request' => $request, 'requestId' => $meta['requestId'], ...$remarks]);
            } catch (\Throwable $error) {
                // The service has done what was asked. Without its answer, the program would ask again.
                error_log("peyk: onRemarks failed: {$error->getMessage()}");
            }
        }
    }

    /**
     * All items of a list that the library has no method for, page by page.
     *
     * @param array<string, string|int|float|bool|null> $query
     */
    public function pages(string $path, array $query = []): \Generator
    {
        $query += ['limit' => self::ITEMS_PER_PAGE];
        do {
            $page = $this->request('GET', $path, query: $query);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $query['cursor'] = $page['meta']['nextCursor'];
        } while ($query['cursor'] !== null);
    }

    /** A value as one piece of a path. What would be no piece, or would lead out of the path, is a mistake of the caller. */
    protected static function segment(string|int $value): string
    {
        return in_array($value, ['', '.', '..'], true)
            ? throw new \InvalidArgumentException("a part of the path must not be \"$value\"")
            : rawurlencode((string) $value);
    }

    private function urlOf(string $path, array $query): string
    {
        if (!str_starts_with($path, '/')) {
            throw new \InvalidArgumentException('the path must begin with /');
        }
        $texts = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $query);
        $text = http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
        return $this->baseUrl . $path . ($text === '' ? '' : (str_contains($path, '?') ? '&' : '?') . $text);
    }

    private static function contentOf(array|string|null $body): string
    {
        if (!is_array($body)) {
            return (string) $body;
        }
        // An array without members is an object to the API, and a list to PHP.
        $value = $body === [] ? new \stdClass() : self::withLists($body);
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
    }

    /**
     * A list of which items were taken out has gaps in its keys, as array_filter() leaves them, and json_encode() would write it as an
     * object. An attribute may have a number for its name, so these stay an object.
     */
    private static function withLists(array $array): array
    {
        $items = [];
        foreach ($array as $name => $item) {
            $asItIs = $name === 'attributes' && is_array($item) ? (object) $item : $item;
            $items[$name] = is_array($asItIs) ? self::withLists($asItIs) : $asItIs;
        }
        $isList = array_filter(array_keys($items), is_string(...)) === [];
        return $isList ? array_values($items) : $items;
    }

    /** The library's headers with those of the caller in their place, however the names are written. */
    private static function merged(array $own, array $given): array
    {
        $names = array_change_key_case($given);
        $kept = array_filter($own, static fn (string $name) => !isset($names[strtolower($name)]), ARRAY_FILTER_USE_KEY);
        return [...$kept, ...$given];
    }

    /**
     * Refuses characters that would end a header, and so begin another one.
     *
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(#[\SensitiveParameter] array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            $lines[] = preg_match('/^[\x20-\x7e]+$/D', $value) && preg_match('/^[\w-]+$/D', $name)
                ? "$name: $value"
                : throw new \InvalidArgumentException("the header $name must be visible ASCII characters");
        }
        return $lines;
    }

    private function attempt(string $method, string $url, array $headers, string $content): array|string|null
    {
        [$status, $answerHeaders, $text] = Exchange::run($method, $url, $headers, $content, $this->timeout);
        $answer = json_decode($text, true);
        if ($status < 200 || $status > 299) {
            throw new ApiException($status, $answerHeaders, is_array($answer) ? $answer : []);
        }
        if ($status === 204) {
            return null;
        }
        if (str_starts_with($answerHeaders['content-type'] ?? '', 'text/csv')) {
            return $text;
        }
        // Another success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
        return is_array($answer) ? $answer : throw new NetworkException('the answer is not whole');
    }

    /** Returns seconds, or null if the request must not be tried again. */
    private function waitBeforeRetry(PeykException $error, int $attempt, bool $repeatable): ?float
    {
        $status = $error instanceof ApiException ? $error->status : null;
        $isPassing = $error instanceof NetworkException || $status === self::UNAVAILABLE;
        // The limits of a recipient and of a day are 429 too. What they refuse is for the program to decide about.
        $isUndone = $error instanceof ApiException && $error->getCode() === self::TOO_MANY_REQUESTS;
        $mayRepeat = $isUndone || ($isPassing && $repeatable);
        if (!$mayRepeat || $attempt >= $this->maxAttempts) {
            return null;
        }
        // A retry that comes too early is refused too. So a wait that is too long is not shortened.
        if ($error instanceof ApiException && $error->retryAfter !== null) {
            return $error->retryAfter <= $this->maxRetryAfter ? $error->retryAfter : null;
        }
        // The random part spreads the clients that have failed together.
        return min(self::FIRST_WAIT * 2 ** ($attempt - 1), $this->maxRetryAfter) * random_int(500, 1000) / 1000;
    }
}
