<?php

declare(strict_types=1);

namespace Peyk;

/** No answer came, or not in time, or not all of it. */
final class NetworkException extends PeykException
{
}
