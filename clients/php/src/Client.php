<?php

declare(strict_types=1);

namespace Peyk;

/**
 * A client of one account. Requests and answers are arrays with the members of docs/api.md.
 *
 * Every call tries again after a failure of the network, a 429 and a 503, waits Retry-After, and gives up after
 * $maxAttempts. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent and paid once.
 *
 * Every call may throw ApiException and NetworkException. Money is in the minor unit of the account's currency, which
 * `unit` names. Times are RFC 3339.
 *
 * A send takes an $idempotencyKey: 1 to 255 visible ASCII characters, a random one if left out. Sends with the same key
 * and the same body within 24 hours make one message. Give a key of your own, like `order-17-paid`, if your program may
 * repeat a send by itself.
 *
 * @phpstan-type Send array{message: string, recipients: list<string>, sourceNumber?: string, sendAt?: string,
 *     clientRef?: string}
 * @phpstan-type PatternSend array{pattern: string, variables?: array<string, string|int|float>, recipient?: string,
 *     recipients?: list<string>, sourceNumber?: string, sendAt?: string, clientRef?: string}
 * @phpstan-type PhonebookSend array{message: string, phonebook?: string, phonebooks?: list<string>,
 *     exclude?: list<string>, sourceNumber?: string, sendAt?: string, clientRef?: string}
 * @phpstan-type BulkItem array{recipient: string, message?: string, pattern?: string,
 *     variables?: array<string, string|int|float>}
 * @phpstan-type BulkSend array{messages: list<BulkItem>, sourceNumber?: string, sendAt?: string, clientRef?: string}
 * @phpstan-type SentRecipient array{uid: string, recipient: string, status: string, cost: int}
 * @phpstan-type SentMessage array{uid: string, status: string, type: string, sourceNumber: string, encoding: string,
 *     parts: int, cost: int, unit: string, clientRef: ?string, sendAt: ?string, recipients: list<SentRecipient>}
 * @phpstan-type Recipient array{uid: string, recipient: string, status: string, cost: int, updatedAt: string,
 *     error?: string, message?: string, textTruncated?: true, encoding?: string, parts?: int}
 * @phpstan-type Message array{uid: string, status: string, type: string, sourceNumber: string, encoding: string,
 *     parts: int, cost: int, unit: string, clientRef: ?string, sendAt: ?string, test: bool, message: ?string,
 *     recipientCount: int, createdAt: string, counts: array<string, int>, recipients: list<Recipient>}
 * @phpstan-type EstimateFault array{status: int, code: int, name: string, detail: string, extra: list<string>,
 *     errors: list<array{pointer: string, detail: string}>}
 * @phpstan-type Estimate array{type: string, sourceNumber: string, encoding: string, parts: int, recipients: int,
 *     cost: int, unit: string, faults: list<EstimateFault>}
 * @phpstan-type Balance array{availableBalance: int, lockedBalance: int, totalBalance: int, unit: string}
 * @phpstan-type Erased array{recipients: int, canceled: int, mentions: int, inbound: int, events: int,
 *     phonebookNumbers: int, blacklisted: bool}
 * @phpstan-type Erasure array{id: string, numberEnding: string, orderedBy: string, status: string, createdAt: string,
 *     doneAt: ?string, found: Erased}
 */
final class Client
{
    /** The version of this library. */
    public const VERSION = '0.1.0';

    /** The first wait, in seconds, before a retry that the server gave no time for. It doubles with each one. */
    private const FIRST_WAIT = 0.5;
    private const RETRIED = [429, 503];
    private const RECIPIENTS_PER_PAGE = 200;

    private readonly string $baseUrl;

    /** @var list<string> */
    private readonly array $headers;

    /**
     * @param string $apiKey `peyk_live_…` or `peyk_test_…`
     * @param string $baseUrl the address of the service, like `https://sms.example.com`; `http` is for this
     *     machine only
     * @param float $timeout seconds that a try waits for the connection, and then for each next piece of the answer
     * @param int $maxAttempts how often a request is tried at most, the first time included
     * @param float $maxRetryAfter the longest Retry-After, in seconds, that the client waits for
     * @param ?string $language of the title and the detail of errors, `en` or `fa`; if left out, the service decides
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        private readonly float $timeout = 30,
        private readonly int $maxAttempts = 3,
        private readonly float $maxRetryAfter = 30,
        ?string $language = null,
    ) {
        self::refuseExposed($baseUrl);
        $this->baseUrl = rtrim($baseUrl, '/');
        $headers = [self::header('Authorization', "Bearer $apiKey"), 'User-Agent: peyk-php/' . self::VERSION];
        $this->headers = $language === null ? $headers : [...$headers, self::header('Accept-Language', $language)];
    }

    /**
     * Sends one text to up to 1,000 numbers.
     *
     * @param Send $body
     * @return SentMessage
     */
    public function send(array $body, ?string $idempotencyKey = null): array
    {
        return $this->post('/sms/send', $body, $idempotencyKey);
    }

    /**
     * Sends a pattern, filled in once, to one `recipient` or up to 1,000 `recipients`.
     *
     * @param PatternSend $body
     * @return SentMessage
     */
    public function sendPattern(array $body, ?string $idempotencyKey = null): array
    {
        return $this->post('/sms/pattern', $body, $idempotencyKey);
    }

    /**
     * Sends one text, filled in for each number, to up to 10,000 numbers of a `phonebook` or several `phonebooks`.
     *
     * @param PhonebookSend $body
     * @return SentMessage
     */
    public function sendPhonebook(array $body, ?string $idempotencyKey = null): array
    {
        return $this->post('/sms/phonebook/send', $body, $idempotencyKey);
    }

    /**
     * Sends up to 1,000 texts, each to its own number.
     *
     * @param BulkSend $body
     * @return SentMessage
     */
    public function sendBulk(array $body, ?string $idempotencyKey = null): array
    {
        return $this->post('/sms/bulk', $body, $idempotencyKey);
    }

    /**
     * Says what a send would cost, and what stands against it. Sends nothing.
     *
     * @param array{send: Send}|array{pattern: PatternSend}|array{phonebook: PhonebookSend}|array{bulk: BulkSend} $body
     * @return Estimate
     */
    public function estimate(array $body): array
    {
        return $this->call('POST', '/sms/estimate', $body)['data'];
    }

    /**
     * A message as it is now, with its first 100 recipients.
     *
     * @return Message
     */
    public function getMessage(string $uid): array
    {
        return $this->call('GET', '/messages/' . rawurlencode($uid))['data'];
    }

    /**
     * All recipients of a message, or those of one status. Reads page by page.
     *
     * @return \Generator<int, Recipient>
     */
    public function listRecipients(string $uid, ?string $status = null): \Generator
    {
        $query = ['limit' => self::RECIPIENTS_PER_PAGE, 'status' => $status];
        do {
            $page = $this->call('GET', '/messages/' . rawurlencode($uid) . '/recipients?' . http_build_query($query));
            foreach ($page['data'] as $recipient) {
                yield $recipient;
            }
            $query['cursor'] = $page['meta']['nextCursor'];
        } while ($query['cursor'] !== null);
    }

    /**
     * The account's money.
     *
     * @return Balance
     */
    public function getBalance(): array
    {
        return $this->call('GET', '/account/info')['data']['wallet'];
    }

    /**
     * Erases a number from all that the account has. The key needs the scope `erasure`.
     *
     * @return Erasure
     */
    public function startErasure(string $number): array
    {
        return $this->call('POST', '/erasures', ['number' => $number])['data'];
    }

    /**
     * An order to erase a number, as it is now.
     *
     * @return Erasure
     */
    public function getErasure(string $id): array
    {
        return $this->call('GET', '/erasures/' . rawurlencode($id))['data'];
    }

    /** Others could read the key and the messages on their way. */
    private static function refuseExposed(string $baseUrl): void
    {
        $url = parse_url($baseUrl) ?: [];
        $scheme = strtolower($url['scheme'] ?? '');
        $isLoopback = preg_match('/^(localhost|127(\.\d+){3}|\[::1\])$/Di', $url['host'] ?? '') === 1;
        if ($scheme !== 'https' && !($scheme === 'http' && $isLoopback)) {
            throw new \InvalidArgumentException('baseUrl must begin with https://; http:// is for this machine only');
        }
    }

    /** @return SentMessage */
    private function post(string $path, array $body, ?string $idempotencyKey): array
    {
        return $this->call('POST', $path, $body, $idempotencyKey ?? bin2hex(random_bytes(16)))['data'];
    }

    /** Makes a request until it succeeds, fails for good, or has been tried often enough. All tries are the same. */
    private function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        $headers = $this->headers;
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($idempotencyKey !== null) {
            $headers[] = self::header('Idempotency-Key', $idempotencyKey);
        }
        $content = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->attempt($method, $this->baseUrl . $path, $headers, $content);
            } catch (PeykException $error) {
                $error->idempotencyKey = $idempotencyKey;
                $wait = $this->waitBeforeRetry($error, $attempt);
                if ($wait === null) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function attempt(string $method, string $url, array $headers, string $content): array
    {
        [$status, $answerHeaders, $text] = $this->exchange($method, $url, $headers, $content);
        $answer = json_decode($text, true);
        if ($status < 200 || $status > 299) {
            throw new ApiException($status, $answerHeaders, is_array($answer) ? $answer : []);
        }
        // A success always has JSON. If it has none, something between here and Peyk has cut or replaced it.
        return is_array($answer) ? $answer : throw new NetworkException('the answer is not whole');
    }

    /** @return array{int, array<string, string>, string} the status, the headers with names in lower case, the body */
    private function exchange(string $method, string $url, array $headers, string $content): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $content,
            'timeout' => $this->timeout,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            // Following a redirect would show the API key to another server.
            'follow_location' => 0,
        ]]);
        error_clear_last();
        $stream = @fopen($url, 'r', false, $context);
        if ($stream === false) {
            throw new NetworkException(error_get_last()['message'] ?? "$method $url failed");
        }
        $text = stream_get_contents($stream);
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        fclose($stream);
        return [...self::readHead($lines), (string) $text];
    }

    /**
     * @param list<string> $lines the status line and the headers
     * @return array{int, array<string, string>}
     */
    private static function readHead(array $lines): array
    {
        $status = (int) (explode(' ', array_shift($lines))[1] ?? 0);
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + ['', ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [$status, $headers];
    }

    /** Returns seconds, or null if the request must not be tried again. */
    private function waitBeforeRetry(PeykException $error, int $attempt): ?float
    {
        $isAnswer = $error instanceof ApiException;
        if (($isAnswer && !in_array($error->status, self::RETRIED, true)) || $attempt >= $this->maxAttempts) {
            return null;
        }
        // A retry that comes too early is refused too. So a wait that is too long is not shortened.
        if ($isAnswer && $error->retryAfter !== null) {
            return $error->retryAfter <= $this->maxRetryAfter ? $error->retryAfter : null;
        }
        // The random part spreads the clients that have failed together.
        return min(self::FIRST_WAIT * 2 ** ($attempt - 1), $this->maxRetryAfter) * random_int(500, 1000) / 1000;
    }

    /** Refuses characters that would end the header, and so begin another one. */
    private static function header(string $name, #[\SensitiveParameter] string $value): string
    {
        return preg_match('/^[\x20-\x7e]+$/D', $value)
            ? "$name: $value"
            : throw new \InvalidArgumentException("$name must be visible ASCII characters");
    }
}
