#pragma once
// Draws ImGui's draw lists on the CPU, so that a picture of the window needs no display and no OpenGL.

#include <imgui.h>

#include <deque>
#include <vector>

#include "app/export/export.h"
#include "app/gui/shell/theme.h"
#include "tests/app/gui/pictures/painter.h"

namespace emergence::testing {

/// Keeps the textures of heatmaps in memory.
class PixelTextureStore : public TextureStore {
  public:
    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;

  private:
    std::deque<Texels> textures_;  // their addresses are the names and stay valid
};

/// The picture of `data` on a ground of one colour, as the window draws it: pixel centres at 0.5, the
/// top-left fill rule, GL's scissor rounding and source-over blending in 8 bits. The atlas is the one of
/// the current ImGui context; all other textures come from a PixelTextureStore.
PixelImage rasterise(const ImDrawData& data, ImU32 ground);

}  // namespace emergence::testing
