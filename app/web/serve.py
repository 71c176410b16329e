"""Serves a page on the loopback address, with the headers that allow threads. A file that lies there packed as well
(FILE.br, FILE.gz) is sent packed, if the browser takes it.

Usage: python3 app/web/serve.py DIR [--port N]        (port 0: any that is free)
"""
import argparse
import functools
import http.server
import os


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}
    packings = {"br": ".br", "gzip": ".gz"}
    packing = None

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
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *words):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8642)
    options = parser.parse_args()
    handler = functools.partial(Handler, directory=options.folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler) as server:
        print(f"Emergence is at http://127.0.0.1:{server.server_address[1]}/ (Ctrl + C ends)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


main()
