<?php

const TOLERANCE_SECONDS = 5 * 60;

/** Whether a callback is genuine. Header names are in lower case, $body is the raw text, $now is in seconds. */
function is_genuine(array $headers, string $body, string $secret, ?int $now = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || preg_match('/^\d{1,15}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        throw new InvalidArgumentException('the secret is empty or not base64');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// Try it: {"headers": ..., "body": ..., "secret": ..., "now": ...} on standard input; exit code 0 or 1.
if (PHP_SAPI === 'cli' && realpath($argv[0] ?? '') === __FILE__) {
    $request = json_decode(file_get_contents('php://stdin'), true, 512, JSON_THROW_ON_ERROR);
    exit(is_genuine($request['headers'], $request['body'], $request['secret'], $request['now'] ?? null) ? 0 : 1);
}
