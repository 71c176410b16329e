#pragma once
// A page as text for a terminal.

#include <string>
#include <string_view>

#include "app/handbook/document.h"

namespace emergence::handbook {

/// The page, wrapped at `columns` (at least 20) where words allow it; formulas and commands keep their lines.
/// A link says in brackets where it leads: [window], [--preset td].
std::string plain_page(const Document& document, int columns);

/// One paragraph. Lines after the first begin with `indent` spaces.
std::string wrapped(std::string_view text, int columns, int indent = 0);

}  // namespace emergence::handbook
