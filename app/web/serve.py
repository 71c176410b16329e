"""Serves a page on the loopback address, with the headers that allow threads.

Usage: python3 app/web/serve.py DIR [--port N]        (port 0: any that is free)
"""
import argparse
import functools
import http.server


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def end_headers(self):
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
