#pragma once
// What the pictures show, in sentences, for those who cannot see them: as text in a panel of its own.

#include <string>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "core/pictures/describe.h"

namespace emergence {

class DescriptionPanel : public Sheet {
  public:
    DescriptionPanel() : Sheet("description") {}
    /// `moment`: of which the pictures are, "1200 MRPs".
    void open_with(std::vector<Description> said, std::string moment);
    const std::vector<Description>& said() const { return said_; }
    void draw(const Context& context) override;

  private:
    std::vector<Description> said_;
    std::string moment_;
};

}  // namespace emergence
