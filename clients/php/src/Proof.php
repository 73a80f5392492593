<?php

declare(strict_types=1);

namespace Peyk;

/** Checks proofs: JWTs by Ed25519, as RFC 7519 and RFC 8037 say, and only in the form in which Peyk makes them. */
final class Proof
{
    private const FORM = '/^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)$/D';
    private const LONGEST = 4_096;

    /**
     * Checks a proof without a request, and returns what it says. Needs the extension sodium, which PHP has.
     *
     * @param array{keys: list<array<string, string>>} $keys what getProofKeys() returns
     * @param string $audience the id of your account, which getAccountInfo() shows
     * @param ?string $purpose what the code must have been for; if left out, anything
     * @param ?string $recipient the number, in E.164; if left out, any
     * @param bool $allowTest whether proofs of test keys are good. Everybody knows the codes of test keys, so never in
     *     production
     * @param ?int $now seconds since 1970
     * @return array{iss: string, sub: string, aud: string, jti: string, purpose: string, iat: int, exp: int, test?: true}
     * @throws ProofException if it is no proof, or one of something else
     * @throws \InvalidArgumentException if $audience or $keys is missing
     */
    public static function verify(
        string $token,
        array $keys,
        string $audience,
        ?string $purpose = null,
        ?string $recipient = null,
        bool $allowTest = false,
        ?int $now = null,
    ): array {
        // These are faults of this program. Without an account to hold the proof against, a proof for any account would do.
        if ($audience === '') {
            throw new \InvalidArgumentException('audience must be the id of your account');
        }
        if (!is_array($keys['keys'] ?? null)) {
            throw new \InvalidArgumentException('keys must be what getProofKeys returns');
        }
        if (strlen($token) > self::LONGEST || !preg_match(self::FORM, $token, $parts)) {
            throw new ProofException('proof', 'this is no proof');
        }
        [, $header, $payload, $signature] = $parts;
        $key = self::keyOf(self::parsed($header), $keys['keys']);
        if (!self::isSigned($key, $signature, "$header.$payload")) {
            throw new ProofException('signature', 'the signature of the proof is not by its key');
        }
        $content = self::parsed($payload);
        self::checkContent($content, $audience, $now ?? time());
        if (!$allowTest && array_key_exists('test', $content) && $content['test'] !== false) {
            throw new ProofException('test', 'the proof is of a test key');
        }
        foreach (['purpose' => $purpose, 'sub' => $recipient] as $name => $wanted) {
            if ($wanted !== null && $content[$name] !== $wanted) {
                throw new ProofException($name, "the $name of the proof is not the expected one");
            }
        }
        return $content;
    }

    /** The bytes of the key that the header names. The header chooses nothing else: there is one algorithm. */
    private static function keyOf(array $header, array $keys): string
    {
        if (($header['alg'] ?? null) !== 'EdDSA') {
            throw new ProofException('alg', 'the alg of the proof is not EdDSA');
        }
        if (($header['typ'] ?? null) !== 'JWT') {
            throw new ProofException('typ', 'the typ of the proof is not JWT');
        }
        if (array_key_exists('crit', $header)) {
            throw new ProofException('crit', 'the proof has a crit, and none is known');
        }
        $kid = $header['kid'] ?? null;
        foreach ($keys as $key) {
            $isKey = ($key['kty'] ?? null) === 'OKP' && ($key['crv'] ?? null) === 'Ed25519' && is_string($key['x'] ?? null);
            if ($isKey && is_string($kid) && ($key['kid'] ?? null) === $kid) {
                return self::fromBase64Url($key['x']);
            }
        }
        throw new ProofException('kid', 'no key has the kid of the proof: fetch the keys anew');
    }

    private static function isSigned(string $key, string $signature, string $signed): bool
    {
        $bytes = self::fromBase64Url($signature);
        return strlen($bytes) === SODIUM_CRYPTO_SIGN_BYTES
            && strlen($key) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES
            && sodium_crypto_sign_verify_detached($bytes, $signed, $key);
    }

    private static function checkContent(array $content, string $audience, int $now): void
    {
        if (($content['iss'] ?? null) !== 'peyk') {
            throw new ProofException('iss', 'the iss of the proof is not peyk');
        }
        if (($content['aud'] ?? null) !== $audience) {
            throw new ProofException('aud', 'the aud of the proof is another account');
        }
        foreach (['sub', 'purpose', 'jti'] as $name) {
            if (!is_string($content[$name] ?? null)) {
                throw new ProofException($name, "the $name of the proof is missing");
            }
        }
        $exp = $content['exp'] ?? null;
        if (!is_int($exp) && !is_float($exp)) {
            throw new ProofException('exp', 'the exp of the proof is no time');
        }
        if (!($now < $exp)) {
            throw new ProofException('expired', 'the proof has expired');
        }
    }

    /** The object that a part of the proof has. */
    private static function parsed(string $part): array
    {
        $text = self::fromBase64Url($part);
        return json_decode($text) instanceof \stdClass
            ? json_decode($text, true)
            : throw new ProofException('proof', 'this is no proof');
    }

    private static function fromBase64Url(string $text): string
    {
        return (string) base64_decode(strtr($text, '-_', '+/'), true);
    }
}
