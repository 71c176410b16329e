// The fonts that the page brings along, drawn by Dear ImGui's own rasteriser, and the browser's own dialog for files.
#include "app/gui/shell/desktop.h"

#include <emscripten.h>
#include <imgui.h>

#include <array>

namespace emergence {

FontFile font_file(FontStyle style) {
    constexpr std::array kNames = {"regular", "bold", "mono", "slanted"};
    return {std::string("/fonts/") + kNames[static_cast<size_t>(style)] + ".ttf", 0};
}

void choose_rasteriser(ImFontAtlas&) {}

DesktopFileDialog::DesktopFileDialog(Jobs& jobs, const std::string&) : jobs_(jobs), words_{"browser"} {}

// What is chosen comes as if it were dropped on the page.
void DesktopFileDialog::open(bool folders, Chosen) {
    EM_ASM({ Module.chooseFiles($0); }, folders ? 1 : 0);
}

}  // namespace emergence
