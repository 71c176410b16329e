"""What surrounds the program in the page, with a stub for the program: python3 page_alone_test.py. takes a minute.

Storage that fails, links that ask for too much, keyboards, fingers, and the server.
"""
import http.client
import os
import shutil
import subprocess
import sys
import tempfile
import time

from browser import Browser

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
HINT = "const hint = document.getElementById('hint'); return hint.hidden ? '' : hint.innerText"


class Page:
    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self, behind="", before="", started=True):
        self.browser.open("about:blank")
        key = self.browser.command("Page.addScriptToEvaluateOnNewDocument", source=before)["identifier"]
        self.browser.open(self.address + behind)
        self.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=key)
        if started:
            self.browser.wait_for("started", lambda: self.stub("started"), 25)

    def stub(self, what):
        return self.browser.run(f"return stub.{what}")

    def hint(self):
        return self.browser.run(HINT)

    def stored_after(self, seconds=4):
        time.sleep(seconds)
        return self.stub("stored")


def storage(page):
    page.open()
    assert page.hint() == "" and page.stored_after() > 0, "a sound storage is not used"
    page.open(before="window.storageOf = {read: 'UnknownError'}")
    assert "cannot be read" in page.hint(), page.hint()
    page.browser.run("emergence.storeNow()")
    assert page.stored_after() == 0, "something was stored over what could not be read"
    page.open(before="window.storageOf = {read: 'silent'}")
    assert "cannot be read" in page.hint() and page.stored_after() == 0
    page.open(before="window.storageOf = {store: 'QuotaExceededError'}")
    page.browser.wait_for("a hint", lambda: "no room left" in page.hint(), 10)
    for gone in ("sessionStorage", "localStorage", "indexedDB"):
        page.open(before=f"Object.defineProperty(window, '{gone}', {{get() {{ throw new DOMException('no', 'SecurityError') }}}})")
    page.open(before="Object.defineProperty(navigator, 'locks', {value: undefined})")
    assert page.hint() == "" and page.stored_after() > 0, "an address without https stores nothing"
    for before in ("", "Object.defineProperty(navigator, 'locks', {value: undefined})"):
        page.open(before=before)
        page.browser.new_tab()
        page.open(before=before)
        assert "another tab" in page.hint(), page.hint()
        assert page.stored_after() == 0, "the second tab stores"
        page.browser.close_tab()
        assert page.hint() == ""


def links(page):
    page.open("?preset=loop&set=gamma=0.5&set=num_layers=2&theme=light&paused&file=lessons/tour.toml")
    assert page.stub("arguments") == ["/assets/lessons/tour.toml", "--preferences", "--preset=loop", "--set=gamma=0.5",
                                      "--set=num_layers=2", "--theme=light", "--paused"], page.stub("arguments")
    home = "/home/web_user/.config/emergence/preferences.toml"
    for asks in (f"screenshot={home}&after=0", f"paused&screenshot={home}", "no-preferences", "preferences=false", "size=1x1",
                 "version", "help", "__man", "-h", "Screenshot=x", f"file={home}", "file=../home/web_user", "file=a/../../home/x",
                 "file=lessons//tour.toml", "file=", "file=--screenshot=x", "=x"):
        page.open("?" + asks)
        assert page.stub("arguments") == ["--preferences"], (asks, page.stub("arguments"))
        assert "link cannot be opened" in page.hint(), (asks, page.hint())
    page.open(f"?preset=--screenshot={home}&theme=--after")
    assert page.stub("arguments") == ["--preferences", f"--preset=--screenshot={home}", "--theme=--after"]
    text = 'experiment = "td"\n'
    letters = page.browser.run("return packed(arguments[0])", text)
    page.open("#state=" + letters)
    assert page.browser.run("return stub.files.get('/brought/state.toml')") == text
    bomb = page.browser.run("return packed('x'.repeat(1 << 24))")
    for damaged in ("AAAA", "%%", letters[:-4], bomb):
        page.open("#state=" + damaged)
        assert "damaged" in page.hint(), damaged[:20]


def keys(page):
    """Letters by the layout: what is the browser's, what brings the text to be pasted, what reaches the program."""
    page.open()

    def sent(key, code, **held):
        held = ", ".join(f"{name}: true" for name in held)
        return page.browser.run(
            "stub.calls.length = 0; const e = new KeyboardEvent('keydown', {key: arguments[0], code: arguments[1], "
            f"cancelable: true, {held}}}); window.dispatchEvent(e); "
            "return [stub.calls.map(call => call.join(' ')), e.defaultPrevented]", key, code)
    assert sent("a", "KeyQ", ctrlKey=1) == [["page_key KeyQ a 1 0 2"], True]
    assert sent("v", "Period", ctrlKey=1) == [[], False], "Dvorak pastes"
    assert sent("k", "KeyV", ctrlKey=1)[1], "Dvorak has K where others have V"
    assert sent("\u043c", "KeyV", ctrlKey=1) == [[], False], "Russian pastes"
    assert sent("\u043a", "KeyR", ctrlKey=1) == [[], False], "the browser reloads"
    assert sent("r", "KeyR", ctrlKey=1) == [[], False]
    assert sent("@", "KeyQ", ctrlKey=1, altKey=1, modifierAltGraph=1)[0] == ["page_key KeyQ @ 1 0 0", "page_type @"]


def fingers(page):
    for width, height, sentence in ((390, 844, "Turn the phone"), (800, 360, "Two fingers")):
        page.browser.resize(width, height)
        page.open()
        assert sentence in page.hint(), page.hint()
        button = page.browser.run("const box = document.getElementById('hint-close').getBoundingClientRect(); "
                                  "return [box.width, box.height, box.right, box.bottom]")
        assert min(button[:2]) >= 44 and button[2] <= width and button[3] <= height, button
        assert not page.browser.run("return /user-scalable|maximum-scale/.test(document.querySelector('[name=viewport]').content)")
        touch = lambda kind, *points: page.browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])
        x, y = width / 2, 100
        touch("touchStart", (x - 20, y), (x + 20, y))
        for apart in range(20, 61, 10):
            touch("touchMove", (x - apart, y), (x + apart, y))
        touch("touchEnd")
        box = page.browser.run("const box = document.getElementById('canvas').getBoundingClientRect(); "
                               "return [box.width, box.height, box.left, box.top]")
        assert 2.5 < box[0] / width < 3.5, box
        page.browser.run("stub.calls.length = 0")
        touch("touchStart", (x, y))
        touch("touchEnd")
        kind, right, down = page.browser.run("return stub.calls.find(call => call[0] === 'page_point')")
        asked = page.browser.run("return document.getElementById('canvas').clientWidth")
        ratio = max(page.browser.dots, 960 / width, 600 / height)
        assert abs(right / ratio - width / 2) < 6 and asked == width, "the point under the fingers has moved"
        touch("touchStart", (x - 20, y), (x + 20, y))
        for i in range(1, 6):
            touch("touchMove", (x - 20 + 30 * i, y), (x + 20 + 30 * i, y))
        touch("touchEnd")
        moved = page.browser.run("return document.getElementById('canvas').getBoundingClientRect().left")
        assert moved > box[2] + 50, "two fingers move the enlarged page"
    page.browser.resize(1600, 1000)
    page.browser.wait_for("no sentence on a large screen", lambda: page.hint() == "")


def server(port, outside):
    def ask(method, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.putrequest(method, path, skip_accept_encoding=True)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    assert ask("GET", "/")[0] == 200
    for path in ("/%00", "/index.html%00", "/a/%00/b"):
        assert ask("GET", path)[0] == 400, path
    for path in ("/folder/", "/folder", "/link", "/up/secret", "/../secret", "/%2e%2e/secret", "//etc/passwd", "/pipe"):
        status, body, _ = ask("GET", path)
        assert status == 404 and outside not in body, path
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        assert ask(method, "/index.html")[0] == 405, method
    status, body, headers = ask("HEAD", "/index.html")
    assert status == 200 and body == b"" and "default-src 'none'" in headers["Content-Security-Policy"]


def single(folder, site):
    """The page as one file: from a file's address, with the program, its assets and what comes later inside."""
    parts, file = os.path.join(folder, "parts"), os.path.join(folder, "emergence.html")
    shutil.copytree(site, parts)
    shutil.copy(os.path.join(HERE, "stub.js"), os.path.join(parts, "emergence.js"))
    os.mkdir(os.path.join(parts, "later"))
    for name, text in (("emergence.wasm", "code"), ("emergence.data", "assets"), ("later.json", '["a.txt", "weights/w.npz"]'),
                       ("later/a.txt", "</script> 1")):
        with open(os.path.join(parts, name), "w") as written:
            written.write(text)
    subprocess.run(["node", os.path.join(ROOT, "app/web/single.js"), parts, file], check=True, stdout=subprocess.DEVNULL)
    with Browser(width=1366, height=768) as browser:
        page = Page(browser, "file://" + file)
        page.open("?preset=loop")
        assert page.stub("arguments") == ["--preferences", "--preset=loop"] and "one file" in page.hint(), page.hint()
        text = "return new TextDecoder().decode"
        assert page.browser.run(f"{text}(emergence.getPreloadedPackage('emergence.data', 6))") == "assets"
        assert page.browser.run(f"{text}(await (await fetch('emergence.wasm')).arrayBuffer())") == "code"
        later = page.browser.wait_for("what comes later", lambda: page.browser.run(
            "const file = stub.files.get('/assets/a.txt'); return file && new TextDecoder().decode(file)"))
        assert later == "</script> 1" and page.stored_after() > 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = os.path.join(folder, "site")
        shutil.copytree(os.path.join(ROOT, "app/web/page"), site)
        shutil.copy(os.path.join(HERE, "stub.js"), os.path.join(site, "emergence.js"))
        with open(os.path.join(site, "later.json"), "w") as later:
            later.write("[]")
        with open(os.path.join(folder, "secret"), "w") as secret:
            secret.write("outside")
        os.mkdir(os.path.join(site, "folder"))
        os.symlink(os.path.join(folder, "secret"), os.path.join(site, "link"))
        os.symlink(folder, os.path.join(site, "up"))
        os.mkfifo(os.path.join(site, "pipe"))
        serving = subprocess.Popen([sys.executable, os.path.join(ROOT, "app/web/serve.py"), site, "--port", "0"],
                                   stdout=subprocess.PIPE, text=True)
        try:
            port = int(serving.stdout.readline().split(":")[2].split("/")[0])  # it says where it is once it serves
            server(port, b"outside")
            print("server: good", flush=True)
            if "single" in (sys.argv[1:] or ["single"]):
                single(folder, os.path.join(ROOT, "app/web/page"))
                print("single: good", flush=True)
            for part in [step for step in (storage, links, keys, fingers) if step.__name__ in (sys.argv[1:] or step.__name__)]:
                with Browser(dots=1, touch=part is fingers) as browser:
                    page = Page(browser, f"http://127.0.0.1:{port}/")
                    try:
                        part(page)
                    except AssertionError:
                        print("\n".join(browser.messages()))
                        raise
                print(f"{part.__name__}: good", flush=True)
        finally:
            serving.terminate()
            serving.wait()


if __name__ == "__main__":
    main()
