#pragma once
// What the pictures show, in sentences, for those who cannot see them: as text in a panel of its own.

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/describe.h"

namespace emergence {

class DescriptionPanel {
  public:
    /// `moment`: of which the pictures are, "1200 MRPs".
    void open(std::vector<Description> said, std::string moment);
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    const std::vector<Description>& said() const { return said_; }
    void draw(const Ui& ui);

  private:
    bool open_ = false;
    bool raise_ = false;
    std::vector<Description> said_;
    std::string moment_;
};

}  // namespace emergence
