"""Serves a page on the loopback address, with the headers that allow threads and that keep others out. A file that lies
there packed as well (FILE.br, FILE.gz) is sent packed, if the browser takes it. Nothing but files of the folder is sent:
no lists, nothing that a link leads to outside.

Usage: python3 app/web/serve.py DIR [--port N]        (port 0: any that is free)
"""
import argparse
import functools
import http.server
import os
import socket
import sys
import threading
import time
import urllib.parse

POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
          "img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'")


def taken_packings(header):
    """How much a browser wants each packing: "br;q=0" is not at all."""
    taken = {}
    for word in header.split(","):
        name, *settings = (part.strip() for part in word.lower().split(";"))
        weight = next((one[2:] for one in settings if one.startswith("q=")), "1")
        try:
            taken[name] = float(weight)
        except ValueError:
            taken[name] = 0
    return taken


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64

    def get_request(self):
        try:
            return super().get_request()
        except OSError:  # too many files are open: some are closed soon
            time.sleep(0.1)
            raise

    def process_request(self, request, client_address):
        try:
            super().process_request(request, client_address)
        except RuntimeError as error:  # no further thread
            print(f"serve.py: {error}", file=sys.stderr)
            self.shutdown_request(request)

    def handle_error(self, request, client_address):
        error = sys.exc_info()[1]
        if not isinstance(error, (ConnectionError, TimeoutError)):  # these are tabs that were closed
            print(f"serve.py: {type(error).__name__}: {error}", file=sys.stderr)


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}
    packings = {"br": ".br", "gzip": ".gz"}
    packing = None
    timeout = 60  # seconds that the other side may take to send or receive the next piece
    deadline = 20  # seconds that a whole request may take to come in

    def handle(self):
        self.clock = threading.Timer(self.deadline, self.hang_up)
        self.clock.daemon = True
        self.clock.start()
        try:
            super().handle()
        finally:
            self.clock.cancel()

    def hang_up(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def parse_request(self):
        self.packing = None
        if not super().parse_request():
            return False
        self.clock.cancel()  # the request is whole
        if self.command in ("GET", "HEAD"):
            return True
        self.send_error(405)
        return False

    def send_head(self):
        if "\0" in urllib.parse.unquote(self.path):
            return self.send_error(400)
        file = self.translate_path(self.path)
        if os.path.isdir(file):
            file = os.path.join(file, "index.html")
        root, found = os.path.realpath(self.directory), os.path.realpath(file)
        if not os.path.isfile(found) or os.path.commonpath([root, found]) != root:
            self.packing = None
            return self.send_error(404)
        return super().send_head()

    def translate_path(self, path):
        file = super().translate_path(path)
        taken = taken_packings(self.headers.get("Accept-Encoding", ""))
        here = (name for name, ending in self.packings.items() if taken.get(name, taken.get("*", 0)) > 0
                and os.path.isfile(file + ending))
        self.packing = next(here, None)
        return file + self.packings.get(self.packing, "")

    def guess_type(self, path):
        return super().guess_type(path.removesuffix(self.packings.get(self.packing, "")))

    def end_headers(self):
        if self.packing:
            self.send_header("Content-Encoding", self.packing)
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code, message=None, explain=None):
        """A line of text; the library's page of HTML names the program."""
        words = f"{code} {message or self.responses.get(code, ('error',))[0]}\n".encode("latin-1", "replace")
        self.send_response(code)
        if code == 405:
            self.send_header("Allow", "GET, HEAD")
        self.send_header("Connection", "close")
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(words)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(words)

    def log_message(self, *words):
        pass


def refuse(why):
    print(f"serve.py: {why}", file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", default="8642")
    parser.add_argument("--check", action="store_true", help="only say whether the port is free")
    options = parser.parse_args()
    if not os.path.isdir(options.folder):
        refuse(f"{options.folder} is no folder. Name the one that 'sh app/web.sh --out' leaves")
    if not (options.port.isascii() and options.port.isdigit() and int(options.port) <= 65535):
        refuse(f"--port: '{options.port}' is not a whole number from 0 to 65535")
    handler = functools.partial(Handler, directory=options.folder)
    try:
        server = Server(("127.0.0.1", int(options.port)), handler)
    except OSError as error:
        refuse(f"--port: {options.port} cannot be had: {error.strerror}. Choose another, or 0 for any")
    with server:
        if options.check:
            return
        print(f"Emergence is at http://127.0.0.1:{server.server_address[1]}/ (Ctrl + C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


main()
