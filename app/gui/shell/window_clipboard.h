#pragma once
// The desktop's clipboard for Dear ImGui. It is read from another program, which may have stopped: GLFW waits for it for
// ever, this class for at most half a second.

#include <memory>
#include <string>

struct GLFWwindow;

namespace emergence {

class WindowClipboard {
  public:
    /// Takes the place of the functions that ImGui's backend has set.
    explicit WindowClipboard(GLFWwindow* window);
    /// Before glfwTerminate(), which would wait for a stopped manager of clipboards.
    ~WindowClipboard();
    WindowClipboard(const WindowClipboard&) = delete;
    WindowClipboard& operator=(const WindowClipboard&) = delete;

    /// A sentence if a program did not answer, once; "" otherwise.
    std::string take_notice();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emergence
