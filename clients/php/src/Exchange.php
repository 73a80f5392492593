<?php

declare(strict_types=1);

namespace Peyk;

/**
 * One request and its answer, over PHP's own streams.
 *
 * @internal
 */
final class Exchange
{
    /**
     * @param list<string> $headers
     * @return array{int, array<string, string>, string} the status, the headers with names in lower case, the body
     */
    public static function run(string $method, string $url, array $headers, string $content, float $timeout): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $content,
            'timeout' => $timeout,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            // Following a redirect would show the API key to another server.
            'follow_location' => 0,
            // PHP does not say when the last chunk is missing, so the chunks are read here.
            'auto_decode' => false,
        ]]);
        error_clear_last();
        $stream = @fopen($url, 'r', false, $context);
        if ($stream === false) {
            throw new NetworkException(error_get_last()['message'] ?? "$method $url failed");
        }
        $text = (string) stream_get_contents($stream);
        [$status, $answered] = self::readHead(stream_get_meta_data($stream)['wrapper_data']);
        fclose($stream);
        return [$status, $answered, self::whole($text, $answered)];
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

    /** The body, of which nothing is missing. */
    private static function whole(string $text, array $headers): string
    {
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            return self::unchunked($text);
        }
        $length = $headers['content-length'] ?? null;
        return $length === null || (int) $length === strlen($text)
            ? $text
            : throw new NetworkException('the answer is not whole');
    }

    private static function unchunked(string $text): string
    {
        $pieces = [];
        for ($at = 0; preg_match('/\G([0-9a-f]{1,8})[^\r\n]*\r\n/Ai', $text, $match, 0, $at); ) {
            $size = (int) hexdec($match[1]);
            if ($size === 0) {
                return implode('', $pieces);
            }
            $at += strlen($match[0]);
            $pieces[] = substr($text, $at, $size);
            $at += $size + strlen("\r\n");
        }
        throw new NetworkException('the answer is not whole');
    }
}
