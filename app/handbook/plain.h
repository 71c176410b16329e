#pragma once
// Writes a page as text for a terminal, and for man.

#include <string>
#include <string_view>

#include "app/handbook/document.h"

namespace emergence::handbook {

/// Returns the page, wrapped at `columns` (at least 20) if words allow it. Formulas and commands keep their lines. A
/// link says in brackets where it leads, as [window] or [--preset td].
std::string plain_page(const Document& document, int columns);

/// Returns the page as a manual page in roff, with that name. Its first sentence says what it is for. The
/// first cell of a table's row is a term, in bold, and the other columns explain it.
std::string roff_page(const Document& document, const std::string& name);

/// Writes one paragraph. Lines after the first begin with `indent` spaces.
std::string wrapped(std::string_view text, int columns, int indent = 0);

}  // namespace emergence::handbook
