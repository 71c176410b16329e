#pragma once
// Where everything on a page of the handbook stands, at one width.

#include <imgui.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/gui/dialogs/picture_files.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/rich_text.h"
#include "app/handbook/document.h"

namespace emergence {

/// One block, in pixels from the page's upper left corner.
struct PlannedBlock {
    float top = 0.0F, height = 0.0F;
    float indent = 0.0F;  // of an item's text, behind its marker
    PlacedText text;      // of what is one text; a picture's caption
    // Of a table: cells, the left edge of each column and the right one of the last, and the same of rows.
    std::vector<std::vector<PlacedText>> cells;
    std::vector<float> columns, rows;
    std::vector<std::string> lines;  // of code, the long ones broken
    ImVec2 picture = {0.0F, 0.0F};   // its size; zero if it cannot be read
};

struct PagePlan {
    std::vector<PlannedBlock> blocks;  // one for each of the document's
    float height = 0.0F;
};

/// The space inside of a table's cell and of a block of code.
ImVec2 cell_padding(const Ui& ui);
ImVec2 code_padding(const Ui& ui);

/// Text in lines of about 88 letters, tables, code and pictures as wide as the page. `folder` holds the
/// pictures' folder.
PagePlan plan_page(const Ui& ui, const handbook::Document& document, const std::filesystem::path& folder,
                   Pictures& pictures, float width);

}  // namespace emergence
