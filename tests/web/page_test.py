"""What a user does in the page, step by step, in headless Chromium: python3 page_test.py SITE PICTURES

SITE: the folder that sh app/web.sh --out leaves. PICTURES: a folder for screenshots, to be looked at. Prints what it
measures; ends with the first step that fails.
"""
import gzip
import os
import re
import subprocess
import sys
import time

from browser import Browser, free_port
from pixels import Picture

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LESSON = "lessons/1-nothing-is-trained.toml"


def step_of(browser):
    state = browser.traced("state") or ""
    found = re.match(r"state (\S+) step (\d+) of (\d+)", state)
    return (found[1], int(found[2]), int(found[3])) if found else ("", 0, 0)


class Test:
    def __init__(self, address, pictures):
        self.address, self.pictures = address, pictures

    def picture(self, browser, name):
        path = os.path.join(self.pictures, name + ".png")
        browser.screenshot(path)
        return Picture(path)

    def open(self, browser, query="", until="state"):
        start = time.time()
        browser.open(f"{self.address}?trace{query}")
        browser.wait_for(until, lambda: browser.traced(until), 60)
        return time.time() - start

    def appears(self, browser):
        seconds = self.open(browser)
        print(f"first picture after {seconds:.1f} s")
        picture = self.picture(browser, "opening")
        colors = {picture.color(x, y) for x in range(0, picture.width, 7) for y in range(0, picture.height, 7)}
        assert len(colors) > 50, f"the page shows {len(colors)} colours"
        assert browser.run("return self.crossOriginIsolated"), "the page is not isolated"

    def diagonals(self, browser):
        """One network learns to the end; Q's two diagonals of theory stand out of what surrounds them."""
        self.open(browser, "&set=seeds=1")
        start = time.time()
        frames = []
        while step_of(browser)[0] not in ("finished", "failed") and time.time() - start < 180:
            line = browser.traced("frames")
            if line:
                frames.append(int(line.split()[1]))
            time.sleep(0.5)
        kind, step, _ = step_of(browser)
        assert kind == "finished", f"the run is {kind} at step {step}"
        frames.sort()
        print(f"one seed at its pace: {step / (time.time() - start):.0f} MRPs per second, "
              f"{frames[len(frames) // 2]} frames per second")
        time.sleep(1)
        picture = self.picture(browser, "diagonals")
        x, y, width, height = map(float, browser.traced("widget cells Q0 learned").split())
        size = 9

        def strength(row, column):
            red, _, blue = picture.color(x + (column + 0.5) * width / size, y + (row + 0.5) * height / size)
            return abs(blue - red)
        features = 4
        diagonal = [strength(i, i) for i in range(features)]
        beside = [strength(i, j) for i in range(features) for j in range(features) if abs(i - j) > 1]
        print("diagonal of Q:", diagonal, "beside it:", beside)
        assert min(diagonal) > 2 * max(beside), "no diagonal"

    def slider(self, browser):
        self.open(browser, "&paused")
        before = browser.traced("set num_layers")
        x, y = browser.wait_for("drawn: num_layers", lambda: browser.centre("num_layers"))
        browser.drag((x, y), (x + 30, y))
        browser.wait_for("another number of layers", lambda: browser.traced("set num_layers") != before)
        print(f"slider: layers {before} -> {browser.traced('set num_layers')}")

    def lesson(self, browser):
        """The first lesson: its text, a prediction, what the step asks for, and the answer that follows."""
        self.open(browser, f"&file={LESSON}", "widget lesson next")
        browser.wait_for("the saved run", lambda: step_of(browser)[0] == "finished")
        time.sleep(1)
        browser.click_on("lesson next")
        browser.click_on("choice 3")
        browser.click_on("lesson show")
        browser.wait_for("edited", lambda: browser.traced("set world_edits") == "r2=1")
        time.sleep(2)
        self.picture(browser, "lesson")
        print("lesson: predicted, edited the world")

    def share(self, browser):
        self.open(browser, "&set=num_layers=2&set=gamma=0.75&paused")
        browser.key("c", "KeyC", 67, 2)
        link = browser.wait_for("a link", lambda: browser.run("return location.hash"))
        browser.open("about:blank")
        browser.open(f"{self.address}?trace{link}")
        browser.wait_for("state", lambda: browser.traced("state"), 60)
        assert browser.traced("set num_layers") == "2" and browser.traced("set gamma") == "0.75", "another state"
        print(f"share link: {len(link)} characters")

    def reload(self, browser):
        """A saved run is there after a reload."""
        self.open(browser, "&set=seeds=1&set=num_mrps=400")
        browser.wait_for("finished", lambda: step_of(browser)[0] == "finished", 120)
        browser.key("s", "KeyS", 83, 2)
        runs = "/home/web_user/.local/share/emergence/runs"
        list_runs = ("try { return emergence.FS.readdir(arguments[0]).filter(name => !name.startsWith('.')) } "
                     "catch { return [] }")
        saved = browser.wait_for("a saved run", lambda: browser.run(list_runs, runs), 30)
        time.sleep(5)  # the page stores its folder every three seconds
        self.open(browser)
        assert set(saved) <= set(browser.run(list_runs, runs)), "the run is gone"
        print("after a reload there is", saved[0], browser.run("return emergence.FS.readdir(arguments[0])",
                                                             f"{runs}/{saved[0]}"))

    def phone(self, browser):
        """A lesson in landscape, with a finger."""
        self.open(browser, f"&file={LESSON}", "widget lesson next")
        browser.wait_for("the saved run", lambda: step_of(browser)[0] == "finished")
        time.sleep(2)
        browser.tap(browser.centre("lesson next"))
        browser.wait_for("the next step", lambda: browser.centre("choice 3"))
        self.picture(browser, "phone")

    def plain_host(self, browser):
        """A host without the two headers: the page helps itself."""
        self.open(browser)
        assert browser.run("return self.crossOriginIsolated"), "the page is not isolated"
        print("threads on a host without headers")


def serve(site, with_headers):
    """The server's process and its address; without headers it is as any web host."""
    port = free_port()
    ours = [os.path.join(ROOT, "app/web/serve.py"), site, "--port", str(port)]
    plain = ["-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", site]
    process = subprocess.Popen([sys.executable, *(ours if with_headers else plain)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    time.sleep(1)
    return process, f"http://127.0.0.1:{port}/"


def sizes(site):
    packed, later = {}, 0
    for folder, _, names in os.walk(site):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                size = len(gzip.compress(file.read(), 9))
            if os.path.relpath(folder, site).startswith("later"):
                later += size
            else:
                packed[name] = size
    print(f"{sum(packed.values()) / 1e6:.2f} MB compressed before the first picture:",
          ", ".join(f"{name} {size / 1e6:.2f}" for name, size in sorted(packed.items()) if size > 10000),
          f"and {later / 1e6:.2f} MB behind it")


def main():
    site, pictures = sys.argv[1:3]
    steps = ["appears", "slider", "lesson", "share", "reload", "phone", "plain_host", "diagonals"]
    os.makedirs(pictures, exist_ok=True)
    sizes(site)
    for name in sys.argv[3:] or steps:
        print(f"== {name}", flush=True)
        server, address = serve(site, name != "plain_host")
        small = {"width": 844, "height": 390, "dots": 3, "touch": True} if name == "phone" else {}
        try:
            with Browser(**small) as browser:
                try:
                    getattr(Test(address, pictures), name)(browser)
                except AssertionError:
                    browser.screenshot(os.path.join(pictures, "failed.png"))
                    print("\n".join(line[:300] for line in browser.messages() if "console-api" not in line))
                    raise
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
