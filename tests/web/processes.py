"""The CPU time of a browser's processes, from /proc."""
import os

TICKS = os.sysconf("SC_CLK_TCK")


def fields(path):
    """Of a stat file, those behind the name."""
    with open(path) as file:
        return file.read().rsplit(")", 1)[1].split()


def kind_of(pid):
    with open(f"/proc/{pid}/cmdline") as file:
        words = file.read().replace("\0", " ").split()
    named = [word.removeprefix("--type=") for word in words if word.startswith("--type=")]
    return named[0] if named else "browser"


def cpu_seconds(root):
    """By part: the processes that `root` has started, of the renderers the page's own thread and its workers alone."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = int(fields(f"/proc/{pid}/stat")[1])
        except OSError:  # it has ended
            continue
    sums = {}
    for pid in parents:
        above = pid
        while above not in (0, root):
            above = parents.get(above, 0)
        if above != root or pid == root:
            continue
        try:
            kind = kind_of(pid)
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/comm") as file:
                    worker = file.read().startswith("DedicatedWorker")
                part = kind
                if kind == "renderer":
                    part = "page" if int(thread) == pid else "workers" if worker else "renderer's others"
                spent = fields(f"/proc/{pid}/task/{thread}/stat")
                sums[part] = sums.get(part, 0.0) + (int(spent[11]) + int(spent[12])) / TICKS
        except OSError:
            continue
    return sums
