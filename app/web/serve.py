"""Serves a page on the loopback address, with the headers that allow threads and that keep others out. A file that lies
there packed as well (FILE.br, FILE.gz) is sent packed, if the browser takes it. Nothing but files of the folder is sent:
no lists, nothing that a link leads to outside.

Usage: python3 app/web/serve.py DIR [--port N]        (port 0: any that is free)
"""
import argparse
import functools
import http.server
import os
import urllib.parse

POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
          "img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'")


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}
    packings = {"br": ".br", "gzip": ".gz"}
    packing = None
    timeout = 60  # seconds that a request may take to come in

    def parse_request(self):
        self.packing = None
        if not super().parse_request():
            return False
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
        taken = [word.split(";")[0].strip() for word in self.headers.get("Accept-Encoding", "").split(",")]
        here = (name for name, ending in self.packings.items() if name in taken and os.path.isfile(file + ending))
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8642)
    options = parser.parse_args()
    if not os.path.isdir(options.folder):
        parser.error(f"{options.folder} is no folder. Name the one that 'sh app/web.sh --out' leaves")
    handler = functools.partial(Handler, directory=options.folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler) as server:
        print(f"Emergence is at http://127.0.0.1:{server.server_address[1]}/ (Ctrl + C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


main()
