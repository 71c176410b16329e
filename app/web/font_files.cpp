// The fonts that the page brings along, drawn by Dear ImGui's own rasteriser.
#include "app/gui/shell/font_files.h"

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

}  // namespace emergence
