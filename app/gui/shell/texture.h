#pragma once
// Images on the graphics card, behind an interface, so that widgets also run where there is no GL.

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace emergence {

/// Keeps nearest-filtered RGBA textures until it is destroyed.
class TextureStore {
  public:
    virtual ~TextureStore() = default;

    /// Puts `pixels` (width * height, row by row from the top, as ImU32) into `existing`, or into a new
    /// texture where that is null; returns the texture.
    virtual ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) = 0;
};

/// For the null backend: hands out names and draws nothing.
class NullTextureStore : public TextureStore {
  public:
    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;
    int uploads() const { return uploads_; }

  private:
    intptr_t last_name_ = 0;
    int uploads_ = 0;
};

}  // namespace emergence
