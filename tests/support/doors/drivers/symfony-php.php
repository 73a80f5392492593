<?php
// Debian's php-symfony-twilio-notifier. A line: {"client": [<account>, <token>, <line>], "call": "send", "args": [<number>, <text>]}. Its user
// gets the id of the message, or an exception.
require '/usr/share/php/Symfony/Component/HttpClient/autoload.php';
require '/usr/share/php/Symfony/Component/Notifier/Bridge/Twilio/autoload.php';

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\Notifier\Bridge\Twilio\TwilioTransport;
use Symfony\Component\Notifier\Message\SmsMessage;

const HOST = 'api.twilio.com';
$port = json_decode(getenv('PEYK_DOORS'), true)[HOST . ':443'];
$client = HttpClient::create(['resolve' => [HOST => '127.0.0.1'], 'cafile' => getenv('SSL_CERT_FILE')]);

while (($line = fgets(STDIN)) !== false) {
    ['client' => $settings, 'call' => $call, 'args' => $args] = json_decode($line, true);
    $transport = (new TwilioTransport(...[...$settings, $client]))->setHost(HOST)->setPort($port);
    try {
        $told = ['value' => $transport->$call(new SmsMessage(...$args))->getMessageId()];
    } catch (Exception $error) {
        $told = ['error' => ['class' => get_class($error), 'message' => $error->getMessage()]];
    }
    echo json_encode($told), "\n";
}
