#pragma once
// The handbook as HTML pages that need nothing else: a style sheet inside each, links between them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/document.h"

namespace emergence::handbook {

/// The page of a chapter, with the list of all chapters at its side. Links to chapters lead to their pages; a
/// link to a preset shows the command that opens it.
std::string html_page(const Document& page, const std::vector<Document>& chapters);

/// The page to begin with: the chapters, a sentence each.
std::string html_index(const std::vector<Document>& chapters);

/// Writes index.html, a page per chapter and the pictures that they show into `folder`. Each file appears whole or not
/// at all. Throws InputError, before anything is written, for a picture elsewhere; IoError if the disk refuses.
void write_html(const std::filesystem::path& assets, const std::filesystem::path& folder);

}  // namespace emergence::handbook
