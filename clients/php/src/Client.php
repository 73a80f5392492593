<?php

declare(strict_types=1);

namespace Peyk;

/**
 * A client of one account. Requests and answers are arrays with the members of openapi.json.
 *
 * A request is tried again after a failure of the network, a 429 of the rate limit and a 503. The client waits Retry-After, and
 * gives up after $maxAttempts. Nothing else is tried again. All tries of a send have one idempotency key, so it is sent and paid
 * once. Another POST that would be done twice, like issueKey(), is tried again after such a 429 only.
 *
 * Every call may throw ApiException and NetworkException. A list is a generator over all its pages. Money is in the
 * minor unit of the account's currency, which `unit` names. Times are RFC 3339.
 *
 * A send takes an $idempotencyKey: 1 to 255 visible ASCII characters, a random one if left out. Sends with the same key
 * and the same body within 24 hours make one message. Give a key of your own, like `order-17-paid`, if your program may
 * repeat a send by itself.
 *
 * @phpstan-import-type Send from Operations
 * @phpstan-import-type PatternSend from Operations
 * @phpstan-import-type PhonebookSend from Operations
 * @phpstan-import-type BulkSend from Operations
 * @phpstan-import-type SentMessage from Operations
 * @phpstan-import-type Message from Operations
 * @phpstan-import-type Balance from Operations
 * @phpstan-import-type Erasure from Operations
 * @phpstan-import-type ImportedNumbers from Operations
 */
final class Client extends Operations
{
    /** How long the client waits, in seconds, before it asks again for a message: at first, and at most. */
    private const FIRST_POLL = 0.5;
    private const LONGEST_POLL = 10.0;

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
     * Asks for a message until it is `DONE` or `CANCELED`, less and less often, and returns it. Waits for $timeout
     * seconds, and then throws NotDoneException.
     *
     * @return Message
     */
    public function waitForMessage(string $uid, float $timeout = 120): array
    {
        $end = hrtime(true) / 1e9 + $timeout;
        for ($wait = self::FIRST_POLL; ; $wait = min($wait * 1.5, self::LONGEST_POLL)) {
            $message = $this->getMessage($uid);
            if (in_array($message['status'], ['DONE', 'CANCELED'], true)) {
                return $message;
            }
            $left = $end - hrtime(true) / 1e9;
            if ($left <= 0) {
                throw new NotDoneException($message);
            }
            usleep((int) (min($wait, $left) * 1_000_000));
        }
    }

    /**
     * The account's money: the `wallet` of getAccountInfo().
     *
     * @return Balance
     */
    public function getBalance(): array
    {
        return $this->getAccountInfo()['wallet'];
    }

    /**
     * Erases a number from all that the account has. The key needs the scope `erasure`.
     *
     * @return Erasure
     */
    public function startErasure(string $number): array
    {
        return $this->request('POST', '/erasures', body: ['number' => $number], repeatable: true)['data'];
    }

    /**
     * Adds the numbers of a CSV file of up to 5 MiB to a phonebook, or updates them.
     *
     * @param string|resource $file what the file has, or a stream that is open for reading
     * @param ?string $number the title of the column with the numbers, if Peyk does not know it or several columns may be it
     * @return ImportedNumbers
     */
    public function importNumbers(string $id, mixed $file, ?string $number = null): array
    {
        $body = is_resource($file) ? stream_get_contents($file) : $file;
        $path = '/phonebook/' . self::segment($id) . '/import';
        $query = ['number' => $number];
        $headers = ['Content-Type' => 'text/csv'];
        return $this->request('POST', $path, $query, $body, $headers, repeatable: true)['data'];
    }

    /** The numbers of a phonebook, as a CSV file. */
    public function exportNumbers(string $id): string
    {
        return $this->request('GET', '/phonebook/' . self::segment($id) . '/export');
    }

    /** The entries of the ledger that listTransactions() lists with the same filters, as a CSV file. */
    public function exportTransactions(
        ?string $type = null,
        ?string $from = null,
        ?string $to = null,
        ?string $message = null,
    ): string {
        $query = ['format' => 'csv', 'type' => $type, 'from' => $from, 'to' => $to, 'message' => $message];
        return $this->request('GET', '/account/transactions', query: $query);
    }

    /** @return SentMessage */
    private function post(string $path, array $body, ?string $idempotencyKey): array
    {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        return $this->request('POST', $path, body: $body, idempotencyKey: $key)['data'];
    }
}
