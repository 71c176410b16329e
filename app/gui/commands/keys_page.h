#pragma once
// The handbook's first page: which key does what.

#include <optional>

#include "app/gui/shell/theme.h"
#include "app/handbook/document.h"

namespace emergence {

/// As a chapter is, so that a search finds keys too: a paragraph for each key under its topic's heading.
const handbook::Document& keys_document();

/// Draws the keys in two columns, `width` pixels wide, and below them how to read the pictures. `marked`: the
/// block that a search has found.
void draw_keys(const Ui& ui, float width, std::optional<size_t> marked);

}  // namespace emergence
