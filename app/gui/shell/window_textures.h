#pragma once
// Textures in OpenGL.

#include <vector>

#include "app/gui/shell/texture.h"

namespace emergence {

/// ImGui's font atlas is sampled at the nearest pixel, once its backend has uploaded it: all text stands on whole pixels,
/// and software rendering takes a fifth less time for a frame at 3840x2160. Lines must not be drawn with the atlas then.
void sample_atlas_at_pixels();

/// Needs a current GL context for as long as it lives.
class GlTextureStore : public TextureStore {
  public:
    GlTextureStore() = default;
    ~GlTextureStore() override;
    GlTextureStore(const GlTextureStore&) = delete;
    GlTextureStore& operator=(const GlTextureStore&) = delete;

    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;

  private:
    std::vector<unsigned> names_;
};

}  // namespace emergence
