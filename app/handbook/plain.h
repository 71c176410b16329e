#pragma once
// A page as text for a terminal, and for man.

#include <string>
#include <string_view>

#include "app/handbook/document.h"

namespace emergence::handbook {

/// The page, wrapped at `columns` (at least 20) where words allow it; formulas and commands keep their lines.
/// A link says in brackets where it leads: [window], [--preset td].
std::string plain_page(const Document& document, int columns);

/// The page as a manual page in roff, of that name and section; its first sentence says what it is for. A row of a
/// table is a term, in bold, with what the other columns say of it.
std::string roff_page(const Document& document, const std::string& name, int section);

/// One paragraph. Lines after the first begin with `indent` spaces.
std::string wrapped(std::string_view text, int columns, int indent = 0);

}  // namespace emergence::handbook
