<?php

declare(strict_types=1);

namespace Peyk;

/** A text is no proof, or no proof of what it should prove. */
final class ProofException extends PeykException
{
    /**
     * @param string $reason what a program decides by. `kid`: no key has signed it, so fetch the keys anew, once.
     *     `expired`: it was good. Else what is wrong: `proof` (its form), `alg`, `typ`, `crit`, `signature`, `iss`, `aud`,
     *     `sub`, `purpose`, `jti`, `exp` or `test`.
     */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
