<?php

declare(strict_types=1);

namespace Peyk;

/**
 * Peyk has answered with an error. getCode() is what a program decides by, like 2001: too little money. docs/api.md has
 * all codes. getMessage() has the title, the code and the detail.
 */
final class ApiException extends PeykException
{
    /** The kind of error, in words. */
    public readonly string $title;

    /** What to mend, for people. */
    public readonly string $detail;

    /**
     * The fault of each member of the request, with a JSON pointer into the body; empty if the error is not about
     * members.
     *
     * @var list<array{pointer: string, detail: string}>
     */
    public readonly array $errors;

    /** Finds the request in the service's log. */
    public readonly ?string $requestId;

    /** Seconds to wait before the next try, if the server has said so. */
    public readonly ?int $retryAfter;

    /**
     * @internal
     * @param int $status the status of HTTP
     * @param array<string, string> $headers with names in lower case
     * @param array<mixed> $problem
     */
    public function __construct(public readonly int $status, array $headers, array $problem)
    {
        // A machine in between may have answered, not Peyk. Then this is no problem document.
        if (!is_int($problem['code'] ?? null)) {
            $problem = [];
        }
        $code = $problem['code'] ?? $status;
        $this->title = $problem['title'] ?? 'Unexpected answer';
        $this->detail = $problem['detail'] ?? "The server answered $status without a problem document.";
        $this->errors = $problem['errors'] ?? [];
        $this->requestId = $problem['meta']['requestId'] ?? $headers['x-request-id'] ?? null;
        // Peyk writes Retry-After in whole seconds.
        $retryAfter = $headers['retry-after'] ?? '';
        $this->retryAfter = preg_match('/^\d{1,9}$/D', $retryAfter) ? (int) $retryAfter : null;
        parent::__construct("$this->title ($code): $this->detail", $code);
    }
}
