#pragma once
// Writes the handbook as HTML pages that need nothing else. Each contains its style sheet, and links lead from page to
// page.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/document.h"

namespace emergence::handbook {

/// Makes the page of a chapter, with the list of all chapters at its side. Links to chapters lead to their pages, and a
/// link to a preset shows the command that opens it.
std::string html_page(const Document& page, const std::vector<Document>& chapters);

/// Makes the first page, which describes each chapter in a sentence.
std::string html_index(const std::vector<Document>& chapters);

/// Writes index.html, one page per chapter and the pictures that they show into `folder`. Each file appears whole or
/// not at all. Throws InputError, before it writes anything, for a picture elsewhere, and IoError if the disk refuses.
void write_html(const std::filesystem::path& assets, const std::filesystem::path& folder);

}  // namespace emergence::handbook
