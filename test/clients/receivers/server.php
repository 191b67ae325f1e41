<?php

// PHP's own server runs this file for each request.
require getenv('SNIPPET');

$headers = array_change_key_case(getallheaders());
$authorized = ($headers['authorization'] ?? '') === getenv('AUTHORIZATION');
$genuine = is_genuine($headers, file_get_contents('php://input'), getenv('SECRET'));
http_response_code($authorized && $genuine ? 204 : 401);
