#pragma once
// Textures in OpenGL.

#include <vector>

#include "app/gui/shell/texture.h"

namespace emergence {

class Painter;

/// Needs a current GL context for as long as it lives.
class GlTextureStore : public TextureStore {
  public:
    /// The painter draws what is new: it is told what has been uploaded.
    explicit GlTextureStore(Painter& painter) : painter_(&painter) {}
    ~GlTextureStore() override;
    GlTextureStore(const GlTextureStore&) = delete;
    GlTextureStore& operator=(const GlTextureStore&) = delete;

    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;

  private:
    Painter* painter_;
    std::vector<unsigned> names_;
};

}  // namespace emergence
