# Takes a page's code as its reader does: commands (```sh) into files `stem`00012, after the line they begin in, and what
# follows "Write these lines to `depth.toml`:" or "Append to `core/x.cpp`:" into that file.
/^```/ {
  if (open) { open = 0; if (out != "") close(out); next }
  open = 1; out = ""
  if ($0 ~ /^```sh( run)?$/) out = sprintf("%s%05d", stem, NR)
  else if (match(before, /`[A-Za-z0-9_\/.-]+\.[a-z]+`:$/)) {
    out = substr(before, RSTART + 1, RLENGTH - 3)
    folder = out
    if (sub(/\/[^\/]*$/, "", folder)) system("mkdir -p " folder)
    if (before !~ /^Append to/) printf "" > out
  }
  next
}
open { if (out != "") print >> out; next }
/./ { before = $0 }
