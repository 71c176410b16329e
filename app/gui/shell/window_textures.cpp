#include "app/gui/shell/window_textures.h"

#include <GL/gl.h>
#include <GL/glext.h>

#include "app/gui/shell/window_painter.h"
#include "core/base/error.h"

namespace emergence {

GlTextureStore::~GlTextureStore() {
    if (!names_.empty()) glDeleteTextures(static_cast<GLsizei>(names_.size()), names_.data());
}

ImTextureID GlTextureStore::upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) {
    check(pixels.size() == static_cast<size_t>(width) * static_cast<size_t>(height), "one pixel a cell");
    auto name = static_cast<GLuint>(reinterpret_cast<intptr_t>(existing));
    const bool fresh = name == 0;
    if (fresh) {
        glGenTextures(1, &name);
        names_.push_back(name);
    }
    glBindTexture(GL_TEXTURE_2D, name);
    if (fresh) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(name));
    painter_->note_upload(texture);
    return texture;
}

}  // namespace emergence
