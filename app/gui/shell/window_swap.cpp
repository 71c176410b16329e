#include "app/gui/shell/window_swap.h"

#include <GL/glx.h>

#include <string_view>

namespace emergence {

std::unique_ptr<PartialSwap> PartialSwap::find() {
    Display* display = glXGetCurrentDisplay();
    if (display == nullptr) return nullptr;
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const char* extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    if (renderer == nullptr || extensions == nullptr) return nullptr;
    if (std::string_view(renderer).find("llvmpipe") == std::string_view::npos) return nullptr;
    if (std::string_view(extensions).find("GLX_MESA_copy_sub_buffer") == std::string_view::npos) return nullptr;
    auto* copy = glXGetProcAddress(reinterpret_cast<const GLubyte*>("glXCopySubBufferMESA"));
    if (copy == nullptr) return nullptr;
    auto found = std::make_unique<PartialSwap>();
    found->copy_ = copy;
    return found;
}

void PartialSwap::show(int x, int y, int width, int height) const {
    const auto copy = reinterpret_cast<PFNGLXCOPYSUBBUFFERMESAPROC>(copy_);
    copy(glXGetCurrentDisplay(), glXGetCurrentDrawable(), x, y, width, height);
}

}  // namespace emergence
