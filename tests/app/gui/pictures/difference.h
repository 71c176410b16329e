#pragma once
// Whether two pictures of the window show the same.

#include <string>
#include <vector>

#include "app/export/export.h"

namespace emergence::testing {

/// Where two pictures differ. The comparison is made for pictures of half size (see halved()) and tolerates
/// what another FreeType or Mesa changes: strokes a pixel aside, a little darker or softer. It does not
/// tolerate missing text, another colour, another value in a heatmap.
///
/// Both pictures are blurred. A pixel is the same if each lies, up to a tolerance, between the least and the
/// largest value of the other's 3 x 3 neighbourhood. The tolerance grows with the contrast around the pixel:
/// flat areas are the same on every machine, text is not. Besides, the brightness in windows of 16 x 8 pixels
/// must agree, moved by up to a pixel: this finds other letters of the same weight. A tile of 8 x 8 pixels
/// differs if kPixelsPerTile of its pixels do.
struct PictureDifference {
    int tiles = 0;            // that differ
    double worst = 0.0;       // of all tiles, in tolerances: more than 1 differs
    std::vector<float> gaps;  // one per pixel of `now`, in tolerances
    std::string reason;       // "" if the pictures show the same
};

inline constexpr int kTileSize = 8;
inline constexpr int kPixelsPerTile = 5;

PictureDifference difference_of(const PixelImage& old, const PixelImage& now);

/// `now`, faded, with the pixels that differ in red.
PixelImage marked(const PixelImage& now, const PictureDifference& difference);

}  // namespace emergence::testing
