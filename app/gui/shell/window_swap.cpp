#include "app/gui/shell/window_swap.h"

#include <GL/glx.h>

#include <string_view>
#include <utility>

// Of GLFW, whose own header for this needs another one that its package does not bring.
extern "C" Window glfwGetX11Window(GLFWwindow* window);

namespace emergence {

std::unique_ptr<PartialSwap> PartialSwap::find(GLFWwindow* window) {
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
    found->window_ = glfwGetX11Window(window);
    return found;
}

// As X knows it, which may be ahead of the events that have come.
void PartialSwap::measure() {
    Window root = 0;
    int x = 0, y = 0;
    unsigned width = 0, height = 0, border = 0, depth = 0;
    XGetGeometry(glXGetCurrentDisplay(), window_, &root, &x, &y, &width, &height, &border, &depth);
    width_ = static_cast<int>(width);
    height_ = static_cast<int>(height);
}

bool PartialSwap::begin_whole() {
    known_ = false;
    measure();
    return !swapped_;
}

void PartialSwap::end_whole(int width, int height) {
    swapped_ = true;
    const auto [before, before_high] = std::pair(width_, height_);
    measure();
    known_ = before == width && before_high == height && width_ == width && height_ == height;
}

void PartialSwap::show(int x, int y, int width, int height) {
    swapped_ = false;
    const auto copy = reinterpret_cast<PFNGLXCOPYSUBBUFFERMESAPROC>(copy_);
    copy(glXGetCurrentDisplay(), glXGetCurrentDrawable(), x, y, width, height);
}

}  // namespace emergence
