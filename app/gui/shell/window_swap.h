#pragma once
// Showing a part of what has been drawn.

#include <memory>

namespace emergence {

class PartialSwap {
  public:
    /// Of the current context; null where the display cannot do it, or draws by hardware, which needs no parts.
    static std::unique_ptr<PartialSwap> find();
    /// Copies pixels from the back to the front, counted from the lower left. What is at the back stays.
    void show(int x, int y, int width, int height) const;

  private:
    void (*copy_)() = nullptr;
};

}  // namespace emergence
