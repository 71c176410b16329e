#pragma once
// Draws a page of the handbook.

#include <filesystem>
#include <optional>
#include <string>

#include "app/gui/dialogs/handbook_plan.h"

namespace emergence {

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
