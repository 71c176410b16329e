#pragma once
// All panels together: one frame of the window, without the window.

#include <optional>

#include "app/gui/layout.h"
#include "app/gui/panels/curves.h"
#include "app/gui/panels/help.h"
#include "app/gui/panels/matrices.h"
#include "app/gui/session.h"
#include "app/gui/shortcuts.h"
#include "app/gui/theme.h"

namespace emergence {

class Workbench {
  public:
    explicit Workbench(Theme theme) : theme_(theme) {}

    /// Draws everything between ImGui's NewFrame and Render.
    void draw(const Ui& ui, Session& session, const Timing& timing);
    void act(Action action, Session& session);

    Theme theme() const { return theme_; }
    bool help_open() const { return help_open_; }
    const Layout& layout() const { return layout_; }
    std::optional<PanelName> enlarged() const { return enlarged_; }
    bool presenting() const { return presenting_; }
    const MatricesPanel& matrices() const { return matrices_; }
    const CurvesPanel& curves() const { return curves_; }

  private:
    void close_top();
    void enlarge_next();

    Theme theme_;
    bool help_open_ = false;
    bool timing_open_ = false;
    bool presenting_ = false;
    std::optional<PanelName> enlarged_;
    Splits splits_;
    Layout layout_;
    MatricesPanel matrices_;
    CurvesPanel curves_;
};

}  // namespace emergence
