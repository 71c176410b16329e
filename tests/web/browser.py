"""A headless Chromium, driven through its own driver (packages chromium and chromium-driver), with nothing but Python's
own library: pages, real pointer and key events, screenshots, and what the program traces.
"""
import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# Keeps every line that the program traces: the last "widget", "state", "set" and "frames" of each name. They are not
# passed on: that would cost the browser more than a frame does.
KEEP_TRACE = """
window.traced = {};
console.log = line => {
  const text = String(line);
  const widget = /^widget (\\S+ \\S+ \\S+ \\S+) (.*)$/.exec(text);
  const setting = /^set (\\S+) (.*)$/.exec(text);
  if (widget) window.traced['widget ' + widget[2]] = widget[1];
  else if (setting) window.traced['set ' + setting[1]] = setting[2];
  else window.traced[text.split(' ')[0]] = text;
};
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """Use as a context: with Browser(width, height) as browser."""

    def __init__(self, width=1600, height=1000, dots=1, touch=False, hosts=None):
        self.width, self.height, self.dots, self.touch = width, height, dots, touch
        self.profile = tempfile.mkdtemp()
        self.port = free_port()
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}", "--log-level=SEVERE"],
                                       stdout=subprocess.DEVNULL)
        # Without a GPU Chromium draws WebGL with SwiftShader, if that is allowed, and puts pages together without GL.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={self.profile}",
                     "--enable-unsafe-swiftshader",
                     f"--force-device-scale-factor={dots}", f"--window-size={width},{height}", "--hide-scrollbars",
                     "--host-resolver-rules=" + ",".join(f"MAP {name} {to}" for name, to in (hosts or {}).items())]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        for _ in range(100):
            try:
                answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}}, session=False)
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        self.session = answer["sessionId"]
        self.keep_trace()
        self.resize(width, height)
        if touch:
            self.command("Emulation.setTouchEmulationEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        except (OSError, RuntimeError):
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, path, body=None, session=True):
        address = f"http://127.0.0.1:{self.port}" + (f"/session/{self.session}" if session else "") + path
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.dots,
                     mobile=self.touch)

    def keep_trace(self):
        self.command("Page.addScriptToEvaluateOnNewDocument", source=KEEP_TRACE)

    def new_tab(self):
        self.first_tab = self.ask("GET", "/window")
        self.ask("POST", "/window", {"handle": self.ask("POST", "/window/new", {"type": "tab"})["handle"]})
        self.keep_trace()

    def close_tab(self):
        self.ask("DELETE", "/window")
        self.ask("POST", "/window", {"handle": self.first_tab})

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """The result of a script; `return` gives it back, a promise is waited for."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def messages(self):
        """What the page has written to its console since this was last asked."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def wait_for(self, what, condition, seconds=30.0):
        """Calls `condition` until it returns something true, and returns that."""
        end = time.time() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.time() > end:
                raise AssertionError(f"after {seconds:.0f} s: still not {what}")
            time.sleep(0.1)

    def traced(self, name):
        return self.run("return (window.traced || {})[arguments[0]] || null", name)

    def centre(self, widget):
        """Of a widget, in the page's coordinates; None if it is not drawn."""
        place = self.traced("widget " + widget)
        if place is None:
            return None
        x, y, width, height = map(float, place.split())
        share = self.run("const c = document.getElementById('canvas'); return c.getBoundingClientRect().width / c.width")
        return round((x + width / 2) * share), round((y + height / 2) * share)

    def mouse(self, kind, at, button="left", **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button=button, clickCount=1, **more)

    def click(self, at):
        self.mouse("mouseMoved", at, "none")
        time.sleep(0.1)
        self.mouse("mousePressed", at)
        time.sleep(0.05)
        self.mouse("mouseReleased", at)

    def tap(self, at):
        self.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": at[0], "y": at[1]}])
        time.sleep(0.1)
        self.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def click_on(self, widget):
        self.click(self.wait_for(f"drawn: {widget}", lambda: self.centre(widget)))

    def drag(self, start, end, steps=10):
        self.mouse("mouseMoved", start, "none")
        time.sleep(0.1)
        self.mouse("mousePressed", start)
        for i in range(1, steps + 1):
            share = i / steps
            self.mouse("mouseMoved", (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
            time.sleep(0.04)
        self.mouse("mouseReleased", end)

    def key(self, key, code, number=0, modifiers=0):
        """modifiers: 1 Alt, 2 Ctrl, 8 Shift."""
        text = {"text": key} if len(key) == 1 and modifiers in (0, 8) else {}
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, windowsVirtualKeyCode=number,
                     modifiers=modifiers, **text)
        time.sleep(0.03)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, windowsVirtualKeyCode=number,
                     modifiers=modifiers)

    def wheel(self, at, down):
        self.mouse("mouseWheel", at, "none", deltaX=0, deltaY=down)
