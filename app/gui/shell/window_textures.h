#pragma once
// Textures in OpenGL.

#include <vector>

#include "app/gui/shell/texture.h"

namespace emergence {

/// Needs a current GL context for as long as it lives.
class GlTextureStore : public TextureStore {
  public:
    GlTextureStore() = default;
    ~GlTextureStore() override;
    GlTextureStore(const GlTextureStore&) = delete;
    GlTextureStore& operator=(const GlTextureStore&) = delete;

    ImTextureID upload(ImTextureID existing, int width, int height,
                       const std::vector<ImU32>& pixels) override;

  private:
    std::vector<unsigned> names_;
};

}  // namespace emergence
