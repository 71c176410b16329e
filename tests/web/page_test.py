"""What a user does in the page, step by step, in headless Chromium: python3 page_test.py SITE PICTURES

SITE: the folder that sh app/web.sh --out leaves, or emergence.html, which --single writes. PICTURES: a folder for screenshots, to be looked at. Prints what it
measures; ends with the first step that fails. The step "weights" needs build/app/emergence-cli, of the same sources.
"""
import base64
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib

from browser import Browser, free_port
from pixels import Picture
from processes import cpu_seconds
from weights import differences

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LESSON = "lessons/1-nothing-is-trained.toml"
RUNS = "/home/web_user/.local/share/emergence/runs"
LIST_RUNS = """try { return emergence.FS.readdir(arguments[0]).filter(name => !name.startsWith('.')) } catch { return [] }"""
READ_FILE = """let letters = '';
for (const byte of emergence.FS.readFile(arguments[0])) letters += String.fromCharCode(byte);
return btoa(letters)"""
# A file that is dropped on the page: its name, its text.
DROP = """const carried = new DataTransfer();
carried.items.add(new File([arguments[1]], arguments[0]));
document.dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true, cancelable: true}))"""
HINT = "const hint = document.getElementById('hint'); return hint.hidden ? '' : hint.innerText"
FRAMES_PER_SECOND = """return new Promise(done => {
  const start = performance.now();
  let frames = 0;
  const note = now => now - start > 10000 ? done(1000 * frames / (now - start)) : (++frames, requestAnimationFrame(note));
  requestAnimationFrame(note);
})"""
# Instead of the browser's folder of downloads: the size of each file that a link hands over.
NOTE_DOWNLOADS = """window.downloaded = {};
const sizes = {}, addressOf = URL.createObjectURL;
URL.createObjectURL = blob => {
  const address = addressOf(blob);
  sizes[address] = blob.size;
  return address;
};
HTMLAnchorElement.prototype.click = function() { downloaded[this.download] = sizes[this.href]; }"""
PRESETS = ("world", "policy-drive", "nonstationary-race")
# Of all answers so far, or of those alone that the first picture needs: the bytes of their bodies as they were sent, and
# what they hold.
BYTES = """const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
return all.filter(one => arguments[0] || !one.name.includes('/later/')).reduce(
  (sums, one) => [sums[0] + one.encodedBodySize, sums[1] + one.decodedBodySize], [0, 0])"""
LARGEST_DIFFERENCE = 1e-6  # of the weights after 400 MRPs, as a share of an array's largest


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

    def bytes(self, browser):
        """What is sent before the default preset trains, and after that."""
        self.open(browser)
        browser.wait_for("training", lambda: step_of(browser)[1] > 0)
        sent, held = browser.run(BYTES, False)
        print(f"until the default preset trains: {sent / 1e6:.2f} MB sent, {held / 1e6:.2f} MB unpacked")
        before = 0
        while sent != before:
            time.sleep(2)
            before, sent = sent, browser.run(BYTES, True)[0]
        print(f"with everything that comes behind it: {sent / 1e6:.2f} MB sent")
        assert held > 0

    def diagonals(self, browser):
        """One network learns to the end; Q's two diagonals of theory stand out of what surrounds them."""
        self.open(browser, "&set=seeds=1")
        browser.wait_for("at the end", lambda: step_of(browser)[0] in ("finished", "failed"), 180)
        kind, step, _ = step_of(browser)
        assert kind == "finished", f"the run is {kind} at step {step}"
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

    def frames_and_steps(self, browser, seconds):
        """Per second: frames, the median of what the window says, and steps."""
        start, first = time.time(), step_of(browser)[1]
        frames = []
        while time.time() - start < seconds:
            time.sleep(0.5)
            frames.append(int((browser.traced("frames") or "frames 0").split()[1]))
        frames.sort()
        return frames[len(frames) // 2], (step_of(browser)[1] - first) / (time.time() - start)

    def pace(self, browser):
        """The default preset, one seed at its full pace: frames and MRPs per second, the CPU time behind a frame."""
        self.open(browser, "&preset=opening&set=seeds=1&set=num_mrps=1000000")
        browser.wait_for("training", lambda: step_of(browser)[1] > 1000, 120)  # until then the browser optimises
        start, before = time.time(), cpu_seconds(browser.driver.pid)
        frames, steps = self.frames_and_steps(browser, 10)
        seconds, after = time.time() - start, cpu_seconds(browser.driver.pid)
        print(f"one seed at its pace: {steps:.0f} MRPs per second, {frames} frames per second")
        for part, spent in sorted(after.items()):
            share = (spent - before.get(part, 0.0)) / seconds
            print(f"  {part}: {100 * share:.0f} % of a core, {1000 * share / max(1, frames):.1f} ms per frame")

    def redrawn(self, browser):
        """After many frames that drew what was new, the picture is the one that a frame draws that draws all."""
        self.open(browser, "&set=seeds=1&set=num_mrps=1500")
        for widget in ("num_layers", "lesson next", "num_states"):
            at = browser.centre(widget)
            if at:
                browser.mouse("mouseMoved", at, "none")
                time.sleep(0.3)
        browser.mouse("mouseMoved", (900, 20), "none")
        browser.wait_for("finished", lambda: step_of(browser)[0] == "finished", 120)
        time.sleep(2)
        in_parts = self.picture(browser, "drawn in parts")
        for width in (browser.width - 8, browser.width):
            browser.resize(width, browser.height)
            time.sleep(2)
        at_once = self.picture(browser, "drawn at once")
        differ = sum(a != b for a, b in zip(in_parts.rows, at_once.rows))
        print(f"drawn in parts: {differ} rows of pixels differ")
        assert differ == 0, "what was drawn in parts differs"

    def slider(self, browser):
        self.open(browser, "&paused")
        browser.click_on("settings open")
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
        time.sleep(1)  # the answer makes the button move
        browser.click_on("lesson show")
        browser.wait_for("edited", lambda: browser.traced("set world_edits") == "r2=1")
        time.sleep(2)
        self.picture(browser, "lesson")
        print("lesson: predicted, edited the world")

    def single(self, browser):
        """The page as one file: its size, its first picture, its pace without threads, and its frames at rest."""
        size = os.path.getsize(self.address.removeprefix("file://"))
        seconds = self.open(browser, "&preset=opening&set=seeds=1&set=num_mrps=1000000")
        picture = self.picture(browser, "single")
        assert len({picture.color(x, y) for x in range(0, picture.width, 7) for y in range(0, picture.height, 7)}) > 50
        browser.wait_for("training", lambda: step_of(browser)[1] > 300, 300)  # until then the browser optimises
        start, first = time.time(), step_of(browser)[1]
        training = browser.run(FRAMES_PER_SECOND)
        steps = (step_of(browser)[1] - first) / (time.time() - start)
        browser.click_on("run")
        browser.wait_for("paused", lambda: step_of(browser)[0] == "paused")
        time.sleep(1)
        resting = browser.run(FRAMES_PER_SECOND)
        print(f"{size / 1e6:.2f} MB, first picture after {seconds:.1f} s, {steps:.0f} MRPs per second, frames per second: "
              f"{training:.0f} while training, {resting:.0f} at rest; on {len(os.sched_getaffinity(0))} cores, load "
              f"{os.getloadavg()[0]:.1f}")
        assert size <= 8e6

    def presets(self, browser):
        """Presets open by their links, with what they set, and train."""
        for name in PRESETS:
            with open(os.path.join(ROOT, f"assets/presets/{name}.toml"), "rb") as file:
                settings = tomllib.load(file)["settings"]
            self.open(browser, f"&preset={name}&set=seeds=1")
            browser.wait_for(f"training {name}", lambda: step_of(browser)[1] > 0, 120)
            said = browser.run(HINT)
            assert "cannot be opened" not in said, said
            found = {field: (browser.traced("set " + field), value) for field, value in settings.items()
                     if type(value) in (int, float) and field != "seeds"}
            found = {field: pair for field, pair in found.items() if pair[0] is not None}
            assert found, f"{name} sets nothing"
            for field, (shown, value) in found.items():
                assert float(shown) == value, f"{name}: {field} is {shown}, not {value}"
            self.picture(browser, "preset " + name)
            print(f"preset {name}: {len(found)} settings as its file has them, step {step_of(browser)[1]}")

    def exports(self, browser):
        """Figures that are exported by clicks are handed over as downloads, with something in them."""
        self.open(browser, "&preset=opening&set=seeds=1")
        browser.wait_for("training", lambda: step_of(browser)[1] > 0, 120)
        browser.click_on("run")
        browser.run(NOTE_DOWNLOADS)
        browser.click_on("export pictures")
        browser.wait_for("a preview", lambda: browser.centre("export start"))
        time.sleep(3)
        self.picture(browser, "export")
        browser.click_on("export start")
        sizes, before = {}, None
        browser.wait_for("a download", lambda: browser.run("return Object.keys(downloaded).length"), 60)
        while sizes != before:
            time.sleep(3)
            before, sizes = sizes, browser.run("return downloaded")
        print("exports:", ", ".join(f"{name} {size} bytes" for name, size in sizes.items()))
        assert all(size > 100 for size in sizes.values()), "an empty file"

    def lesson_to_its_end(self, browser):
        """Every step by clicks: a prediction, what is asked for, the next step, Finish."""
        self.open(browser, f"&file={LESSON}", "widget lesson next")
        browser.wait_for("the saved run", lambda: step_of(browser)[0] == "finished")
        time.sleep(1)
        browser.click_on("lesson next")
        for answer, asks in (("choice 3", "r2=1"), ("choice 2", "10")):
            browser.click_on(answer)
            time.sleep(1)
            browser.click_on("lesson show")
            field = "world_edits" if "=" in asks else "eval_context_length"
            browser.wait_for(f"{field} {asks}", lambda: browser.traced("set " + field) == asks)
            time.sleep(2)
            browser.click_on("lesson next")
            time.sleep(1)
        self.picture(browser, "lesson ends")
        browser.click_on("lesson leave")
        print("lesson: taken to its end")

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
        self.open(browser, "&set=seeds=1&set=num_mrps=100")
        browser.wait_for("finished", lambda: step_of(browser)[0] == "finished", 300)
        browser.key("s", "KeyS", 83, 2)
        saved = browser.wait_for("a saved run", lambda: browser.run(LIST_RUNS, RUNS), 30)
        time.sleep(5)  # the page stores its folder every three seconds
        self.open(browser)
        assert set(saved) <= set(browser.run(LIST_RUNS, RUNS)), "the run is gone"
        print("after a reload there is", saved[0], browser.run("return emergence.FS.readdir(arguments[0])",
                                                             f"{RUNS}/{saved[0]}"))

    def two_tabs(self, browser):
        """A second tab says that it stores nothing, and leaves what the first one stores."""
        self.open(browser, "&set=seeds=1&set=num_mrps=400")
        browser.new_tab()
        self.open(browser, "&paused")
        print(browser.wait_for("a hint", lambda: browser.run(HINT)))
        self.picture(browser, "two tabs")
        browser.close_tab()
        browser.wait_for("finished", lambda: step_of(browser)[0] == "finished", 120)
        assert not browser.run(HINT), "the first tab complains"
        browser.key("s", "KeyS", 83, 2)
        browser.wait_for("a saved run", lambda: browser.run(LIST_RUNS, RUNS), 30)
        time.sleep(5)
        self.open(browser, "&paused")
        assert browser.run(LIST_RUNS, RUNS), "the run is gone"

    def weights(self, browser):
        """After 400 MRPs of one seed the weights are the desktop's, but for rounding."""
        query = "&preset=opening&set=seeds=1&set=num_mrps=400&pace=max"
        self.open(browser, query)
        browser.wait_for("finished", lambda: step_of(browser)[0] == "finished", 120)
        browser.key("s", "KeyS", 83, 2)
        saved = browser.wait_for("a saved run", lambda: browser.run(LIST_RUNS, RUNS), 30)
        path = f"{RUNS}/{saved[0]}/weights.npz"
        browser.wait_for("its weights", lambda: browser.run("return emergence.FS.analyzePath(arguments[0]).exists", path))
        with tempfile.TemporaryDirectory() as folder:
            ours = os.path.join(folder, "page.npz")
            with open(ours, "wb") as file:
                file.write(base64.b64decode(browser.run(READ_FILE, path)))
            subprocess.run([os.path.join(ROOT, "build/app/emergence-cli"), "run", "td", "--preset", "opening",
                            "--seeds", "1", "--set", "num_mrps=400", "--out", os.path.join(folder, "desktop")],
                           check=True, stdout=subprocess.DEVNULL)
            found = differences(ours, os.path.join(folder, "desktop", "weights.npz"))
        assert found, "the two files share no array"
        for name, (difference, largest) in found.items():
            print(f"{name}: differs by at most {difference:.2g}, its largest entry is {largest:.2g}")
            assert difference <= LARGEST_DIFFERENCE * max(1.0, largest), f"{name} differs"

    def bad_files(self, browser):
        """A dropped file that the page cannot read, a broken link: a message, and the run goes on."""
        self.open(browser, "&set=seeds=1&set=num_mrps=100000")
        browser.wait_for("training", lambda: step_of(browser)[1] > 20)
        run = browser.traced("state").split(" run ")[1].split()[0]
        for name, text in (("garbage.npz", "PK no archive"), ("garbage.toml", 'experiment = "none'), ("garbage.xyz", "?")):
            browser.run(DROP, name, text)
            time.sleep(2)
            self.picture(browser, "dropped " + name)
        before = step_of(browser)[1]
        browser.wait_for("training on", lambda: step_of(browser)[1] > before)
        assert browser.traced("state").split(" run ")[1].split()[0] == run, "the run was replaced"
        for link in ("#state=AAAA", "#state=%%", "#state=" + "x" * 40, "&preset=nonsense", "&set=gamma=7", "&file=none.toml",
                     "&nonsense=1"):
            browser.open("about:blank")
            browser.open(f"{self.address}?trace{link}")
            print(f"{link}: {browser.wait_for('a message', lambda: browser.run(HINT), 60)}")
        self.picture(browser, "broken link")

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

    def no_threads(self, browser):
        """A browser that allows no threads: the page says so and trains in slices of its frames."""
        self.open(browser, "&set=seeds=1")
        assert not browser.run("return self.crossOriginIsolated"), "the page is isolated"
        print(browser.wait_for("a hint", lambda: browser.run(HINT)))
        self.picture(browser, "no threads")
        frames, steps = self.frames_and_steps(browser, 8)
        print(f"without threads: {steps:.0f} MRPs per second, {frames} frames per second")
        assert steps > 0, "it does not train"
        browser.key("c", "KeyC", 67, 2)
        browser.wait_for("a link", lambda: browser.run("return location.hash"))
        browser.key("s", "KeyS", 83, 2)
        browser.wait_for("a saved run", lambda: browser.run(LIST_RUNS, RUNS))


INSECURE = "classroom.test"  # for browsers a host far away: without https it is not to be trusted


def serve(site, with_headers, insecure):
    """The server's process and its address; without headers it is as any web host."""
    port = free_port()
    ours = [os.path.join(ROOT, "app/web/serve.py"), site, "--port", str(port)]
    plain = ["-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", site]
    process = subprocess.Popen([sys.executable, *(ours if with_headers else plain)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    time.sleep(1)
    return process, f"http://{INSECURE if insecure else '127.0.0.1'}:{port}/"


def sizes(site):
    for name in sorted(os.listdir(site)):
        path = os.path.join(site, name)
        if not os.path.isfile(path + ".br") or os.path.getsize(path) < 50000:
            continue
        plain, gzip, brotli = (os.path.getsize(path + ending) / 1e6 for ending in ("", ".gz", ".br"))
        print(f"{name}: {plain:.2f} MB, gzip {gzip:.2f}, brotli {brotli:.2f}")


def main():
    site, pictures = sys.argv[1:3]
    steps = ["appears", "bytes", "slider", "lesson", "share", "reload", "two_tabs", "bad_files", "phone", "plain_host",
             "no_threads", "weights", "diagonals", "redrawn", "pace"]
    os.makedirs(pictures, exist_ok=True)
    file = os.path.isfile(site)
    if file:
        steps = ["single", "lesson_to_its_end", "share", "reload"]
    else:
        sizes(site)
    for name in sys.argv[3:] or steps:
        print(f"== {name}", flush=True)
        server, address = ((None, "file://" + os.path.abspath(site)) if file else
                           serve(site, name not in ("plain_host", "no_threads"), name == "no_threads"))
        small = {"width": 844, "height": 390, "dots": 3, "touch": True} if name == "phone" else {}
        if file:
            small = {"width": 1366, "height": 768}
        try:
            with Browser(hosts={INSECURE: "127.0.0.1"}, **small) as browser:
                try:
                    getattr(Test(address, pictures), name)(browser)
                except AssertionError:
                    browser.screenshot(os.path.join(pictures, "failed.png"))
                    print("\n".join(line[:300] for line in browser.messages() if "console-api" not in line))
                    raise
        finally:
            if server:
                server.terminate()
                server.wait()


if __name__ == "__main__":
    main()
