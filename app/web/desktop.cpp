// The fonts that the page brings along, drawn by Dear ImGui's own rasteriser, and the browser's own dialog for files.
#include "app/gui/shell/desktop.h"

#include <emscripten.h>
#include <imgui.h>

namespace emergence {

FontFile font_file(FontStyle style) {
    switch (style) {
        case FontStyle::regular:
            return {"/fonts/regular.ttf", 0};
        case FontStyle::bold:
            return {"/fonts/bold.ttf", 0};
        case FontStyle::mono:
            return {"/fonts/mono.ttf", 0};
        case FontStyle::slanted:
            return {"/fonts/slanted.ttf", 0};
    }
    return {};
}

void choose_rasteriser(ImFontAtlas&) {}

DesktopFileDialog::DesktopFileDialog(Jobs& jobs, const std::string&) : jobs_(jobs), words_{"browser"} {}

// What is chosen comes as if it were dropped on the page.
void DesktopFileDialog::open(bool folders, Chosen) {
    EM_ASM({ Module.chooseFiles($0); }, folders ? 1 : 0);
}

}  // namespace emergence
