#pragma once
// The drawn world of the run: a scene of the snapshot, played, with its plots beside it.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/plot.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// Whether the run has a drawn world.
bool has_scene(const Session& session);

/// Plays on and on while the run trains; while the run rests, its button plays it once.
class ScenePanel {
  public:
    /// Brings the scene to the moment shown; called before a frame is drawn.
    void begin_frame(const Session& session, int highlighted_seed);
    /// Draws the scene of this id at the cursor, `size` pixels large. The first scene can move, and has a toolbar and plots
    /// unless it is `small`.
    void draw(const Context& context, const std::string& id, ImVec2 size, bool small = false);
    /// The scene is in sight and moves, so frames have to go on.
    bool moving() const { return moving_; }
    /// The moment shown, from 0.
    size_t moment() const { return static_cast<size_t>(position_); }

    /// The scene as drawn and exported, with the limits of its axes; empty before it was drawn.
    std::vector<SceneMoment> shown() const;

  private:
    struct Source {
        std::shared_ptr<const Snapshot> snapshot, other,
            before;  // other: run B's; before: the ghost's; null if none
        int highlighted_seed = -1;
        bool operator==(const Source&) const = default;
    };

    void build(const Source& source);
    DrawingSpec drawing_now(const Session& session) const;
    std::optional<DrawingSpec> drawing_of_b() const;
    void draw_picture(const Context& context, ImVec2 size, bool small);
    void advance(bool running, double seconds);
    void draw_toolbar(const Context& context);
    void draw_stepper(const Ui& ui, const char* name, const char* label, int by, const char* help);
    void draw_chooser(const Context& context);
    void draw_plots(const Ui& ui, ImVec2 at, ImVec2 size);

    Scene scene_;  // of the snapshot it was built from
    BuiltFrom<Source> built_;
    std::map<std::string, PlotState> states_;  // by the plots' ids
    double position_ = 0.0;                    // in moments
    bool wanted_ = true;                       // moves while the run trains
    bool once_ = false;                        // plays to its end while the run rests
    bool moving_ = false;
};

}  // namespace emergence
