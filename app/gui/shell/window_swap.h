#pragma once
// Showing a part of what has been drawn.

#include <memory>

struct GLFWwindow;

namespace emergence {

class PartialSwap {
  public:
    /// Of the window's context, which is current; null where the display cannot do it, or draws by hardware, which needs no parts.
    static std::unique_ptr<PartialSwap> find(GLFWwindow* window);
    /// Whether what is at the back has this size and holds the frame before. Otherwise a frame is drawn whole, between
    /// begin_whole() and end_whole(), and swapped.
    bool holds(int width, int height) const { return known_ && width_ == width && height_ == height; }
    /// True if the buffers have to be swapped first: only that gives them the window's new size.
    bool begin_whole();
    void end_whole(int width, int height);
    /// Copies pixels from the back to the front, counted from the lower left. What is at the back stays. A box beyond the
    /// buffer would be X's error, which ends the program.
    void show(int x, int y, int width, int height);

  private:
    void measure();

    void (*copy_)() = nullptr;
    unsigned long window_ = 0;    // as X names it
    int width_ = 0, height_ = 0;  // of the window, before the frame
    bool swapped_ = false;        // since the last part was shown
    bool known_ = false;
};

}  // namespace emergence
