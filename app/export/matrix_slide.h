#pragma once
// Matrices alone on a slide, arranged as in the window: as large as there is room, theory's smaller.

#include "core/pictures/figure_spec.h"

namespace emergence::page {

struct MatrixSlide {
    FigureSpec figure;
    double cell = 0.0;  // the shortest side of one, in points
};

/// True for figures of square matrices, and of matrices whose cells may be stretched beside them.
bool only_matrices(const FigureSpec& figure);

/// On a page of `width` and `height` inches without the caption, with text of one scale.
MatrixSlide set_matrices(const FigureSpec& figure, double width, double height, double scale);

/// What a slide says of its matrices stands in its caption, once: their notes. Their norms are left out.
void notes_to_caption(FigureSpec& figure);

}  // namespace emergence::page
