<?php

declare(strict_types=1);

namespace Peyk;

/** waitForMessage() has waited as long as it may, and the message has not ended. It may still go on. */
final class NotDoneException extends PeykException
{
    /**
     * @internal
     * @param array<string, mixed> $last the message as it was then
     */
    public function __construct(public readonly array $last)
    {
        parent::__construct("The message $last[uid] is still $last[status].");
    }
}
