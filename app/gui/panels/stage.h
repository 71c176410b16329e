#pragma once
// The stage with the pictures that matter, large; the wings with others, small, in their order; the rest folded away.

#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/panels/curves.h"
#include "app/gui/panels/matrices.h"
#include "app/gui/panels/scene.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lab/views/run_views.h"

namespace emergence {

// Which pictures share a cell of the stage or of the wings.

struct PictureCell {
    enum class Kind { matrices, tiles, plot, scene };
    Kind kind = Kind::plot;
    std::vector<std::string> ids;  // several for matrices only
    bool operator==(const PictureCell&) const = default;
};

/// On the stage all matrices share a cell.
std::vector<PictureCell> stage_cells(const std::vector<std::string>& places, const PictureIds& ids);
/// In the wings neighbours of equal size do, at most three.
std::vector<PictureCell> wing_cells(const std::vector<std::string>& places, const PictureIds& ids,
                                    const Snapshot& snapshot);

/// Those of these settings that have an effect, then what an experiment's first screen always has, if the experiment
/// does: layers, context length, how fast rewards drift.
std::vector<std::string> first_controls(std::vector<std::string> chosen, const Settings& settings);

/// Of these settings those that what stands on the stage may depend on: weights do not on where they are evaluated.
std::vector<std::string> controls_of(const std::vector<PictureCell>& stage, std::vector<std::string> settings,
                                     const Snapshot& snapshot);

class StagePanel {
  public:
    /// The panels that draw the pictures.
    struct Painters {
        MatricesPanel& matrices;
        CurvesPanel& curves;
        ScenePanel& scene;
    };

    /// Something was opened: where its pictures stand, and the user's own choice for it, if any.
    void open(Staging home, std::optional<Staging> own);
    /// The user's choice; nullopt while the pictures stand as in what was opened.
    const std::optional<Staging>& own() const { return own_; }
    /// As it was opened.
    const Staging& home() const { return home_; }
    const Staging& staging() const { return own_ ? *own_ : home_; }

    /// These pictures stand nowhere for now, whatever says that they do.
    void cover(std::vector<std::string> ids) { covered_ = std::move(ids); }
    /// Gives the pictures of the moment shown their places; to be called before the layout.
    void place(const Session& session);
    const PicturePlaces& places() const { return places_; }
    /// What stands on the stage.
    const std::vector<PictureCell>& on_stage() const { return stage_; }
    /// That, to be exported.
    ask::Export to_export(const Session& session) const;
    /// How many pictures want to stand in the wings.
    int wings() const { return static_cast<int>(wings_.size()) + (unfolded_ ? static_cast<int>(more_.size()) : 0); }
    bool unfolded() const { return unfolded_; }
    /// What the first of them needs in lengths of the design, if that is more than a curve does; otherwise 0.
    float first_wing_height() const { return map_leads_ ? 300.0F : 0.0F; }

    /// Draws all of it. A picture of the wings is logged as "heading ID", what is folded away as "more".
    void draw(const Context& context, const Layout& layout, const Painters& painters);

    /// The picture under the pointer takes the stage, or leaves it. False if neither can be.
    bool bring_pointed();
    /// What the user brought on stage goes back. True if there was anything.
    bool send_back();
    /// All as in what was opened.
    void reset();
    /// These pictures take the stage, and those on it their places in the wings.
    void bring(const std::vector<std::string>& ids);

    /// A picture of this kind stands on the stage.
    bool shows(PictureCell::Kind kind) const;
    bool has_curves() const { return !ids_.plots.empty(); }
    /// Opens the menu that says how curves are drawn.
    void open_curves_look() { opens_look_ = true; }

  private:
    void draw_stage(const Context& context, const Box& box, const Painters& painters);
    void draw_wings(const Context& context, const Layout& layout, const Painters& painters);
    void draw_wing(const Context& context, const Box& box, const PictureCell& cell, const Painters& painters);
    void draw_curves_look(const Ui& ui, CurvesPanel& curves);
    void draw_strip(const Context& context, const Box& box);
    void draw_heading(const Ui& ui, const Box& box, const PictureCell& cell);
    std::vector<std::string> plots_in_order() const;

    Staging home_;
    std::optional<Staging> own_;
    bool unfolded_ = false, map_leads_ = false, opens_look_ = false;
    std::vector<std::string> covered_;
    PictureIds ids_;
    PicturePlaces places_;
    std::vector<PictureCell> stage_, wings_, more_;
    size_t seen_ = 0;                     // cells of the wings in the last frame
    std::optional<PictureCell> pointed_;  // in the wings, in the last frame
    std::optional<PictureCell> to_bring_;
};

}  // namespace emergence
