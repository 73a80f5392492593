<?php

declare(strict_types=1);

namespace Peyk;

/** A webhook is not from Peyk, or is too old. */
final class SignatureException extends PeykException
{
}
