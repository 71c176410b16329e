#pragma once
// A page of the handbook: its pictures, its layout at one width, and how it is drawn.

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
    /// The size in the file, in pixels; nullopt if the file is missing or no picture. Read once a file.
    std::optional<ImVec2> size_of(const std::filesystem::path& file) { return find(file).size; }
    /// The picture with this many pixels, because textures are not filtered; null if it cannot be read.
    ImTextureID texture(TextureStore& store, const std::filesystem::path& file, int width, int height);

  private:
    struct Picture {
        std::optional<ImVec2> size;
        int width = 0, height = 0;  // of the texture
        ImTextureID texture = nullptr;
    };
    Picture& find(const std::filesystem::path& file);

    std::map<std::string, Picture> pictures_;
};

/// One block, in pixels from the page's upper left corner.
struct PlannedBlock {
    float top = 0.0F, height = 0.0F;
    float indent = 0.0F;  // of an item's text, behind its marker
    PlacedText text;      // also a picture's caption
    // Of a table: its cells, and the edges of its columns and rows, one more than there are.
    std::vector<std::vector<PlacedText>> cells;
    std::vector<float> columns, rows;
    std::vector<std::string> lines;  // of code
    ImVec2 picture = {0.0F, 0.0F};   // its size; 0 if the file cannot be read
};

struct PagePlan {
    std::vector<PlannedBlock> blocks;  // as many as the document's
    float height = 0.0F;
};

/// Text in lines of about 88 letters, tables, code and pictures as wide as the page. `folder` holds the
/// pictures' folder.
PagePlan plan_page(const Ui& ui, const handbook::Document& document, const std::filesystem::path& folder,
                   Pictures& pictures, float width);

/// What was clicked on a page.
struct PageClick {
    std::string link;    // the target
    std::string copied;  // a block of code
};

/// Draws the visible part of a page that begins at the cursor. `marked`: the block that a search has found. Links are
/// logged as "link TARGET", pictures as "picture TARGET" or, if they cannot be read, "missing TARGET", tables and code
/// with their block's number as "table 3" and "code 3", the button of code as "copy 3".
std::optional<PageClick> draw_page(const Ui& ui, const handbook::Document& document, const PagePlan& plan,
                                   const std::filesystem::path& folder, Pictures& pictures,
                                   std::optional<size_t> marked);

}  // namespace emergence
