<?php

declare(strict_types=1);

namespace Peyk;

/** All that this library throws, but for wrong arguments. */
abstract class PeykException extends \RuntimeException
{
    /**
     * The key of the send that failed; null if it was no send. After a NetworkException, a 500 or a 503 nobody knows
     * whether the send was accepted: repeat it later with this key.
     */
    public ?string $idempotencyKey = null;
}
