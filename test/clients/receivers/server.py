import importlib.util, os, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret, authorization = os.environ['SECRET'], os.environ['AUTHORIZATION']


def from_snippet(path):
    spec = importlib.util.spec_from_file_location('verify_callback', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda headers, body: module.is_genuine(headers, body, secret)


def from_library():
    from standardwebhooks import Webhook, WebhookVerificationError

    def is_genuine(headers, body):
        try:
            Webhook(secret).verify(body, headers)
            return True
        except WebhookVerificationError:
            return False

    return is_genuine


is_genuine = from_snippet(sys.argv[2]) if len(sys.argv) > 2 else from_library()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers['content-length']))
        taken = headers.get('authorization') == authorization and is_genuine(headers, body)
        self.send_response(204 if taken else 401)
        self.send_header('content-length', '0')
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Receiver).serve_forever()
