#pragma once
// A page of the handbook: its pictures, where everything on it stands at one width, and how it is drawn.

#include <imgui.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/rich_text.h"
#include "app/handbook/document.h"

namespace emergence {

/// Pictures from files, each read when it is first shown.
class Pictures {
  public:
    /// The size in the file, in pixels; nothing if it is missing or no picture. Read once a file.
    std::optional<ImVec2> size_of(const std::filesystem::path& file);
    /// The picture with this many pixels, so that a nearest-filtered texture shows it evenly; null if it
    /// cannot be read.
    ImTextureID texture(TextureStore& store, const std::filesystem::path& file, int width, int height);

  private:
    struct Picture {
        std::optional<ImVec2> size;
        bool broken = false;
        int width = 0, height = 0;  // of the texture
        ImTextureID texture = nullptr;
    };
    Picture& find(const std::filesystem::path& file);

    std::map<std::string, Picture> pictures_;
};

/// The pixels of a PNG or JPEG, made smaller or larger; empty if the file cannot be read.
std::vector<ImU32> read_scaled(const std::filesystem::path& file, int width, int height);

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

/// What was clicked on a page.
struct PageClick {
    std::string link;    // the target
    std::string copied;  // a block of code
};

/// At the cursor, of which only the visible part is drawn. `marked`: the block that a search has found.
/// Links are logged as "link TARGET", pictures as "picture TARGET", their alternative texts as "missing
/// TARGET", tables and code with their block's number as "table 3" and "code 3", its button as "copy 3".
std::optional<PageClick> draw_page(const Ui& ui, const handbook::Document& document, const PagePlan& plan,
                                   const std::filesystem::path& folder, Pictures& pictures,
                                   std::optional<size_t> marked);

}  // namespace emergence
