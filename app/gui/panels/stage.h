#pragma once
// The stage with large pictures, the wings with small ones, and the others folded away.

#include <optional>
#include <string>
#include <utility>
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

/// Pictures that share a cell of the stage or of the wings.
struct PictureCell {
    enum class Kind { matrices, tiles, plot, scene };
    Kind kind = Kind::plot;
    std::vector<std::string> ids;  // several for matrices only
    bool operator==(const PictureCell&) const = default;
};

/// Those of these settings that have an effect, then the settings of every first screen, if the experiment has them:
/// layers, context length, how fast rewards drift.
std::vector<std::string> first_controls(std::vector<std::string> chosen, const Settings& settings);

/// Those of these settings that the pictures on the stage may depend on: weights do not depend on their evaluation.
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

    /// Something was opened: the places of its pictures, and the user's own choice for it, if any.
    void open(Staging home, std::optional<Staging> own);
    /// The user's choice; nullopt while the pictures stand as opened.
    const std::optional<Staging>& own() const { return own_; }
    /// The places as opened.
    const Staging& home() const { return home_; }
    const Staging& staging() const { return own_ ? *own_ : home_; }

    /// Hides these pictures wherever they stand.
    void cover(std::vector<std::string> ids) { covered_ = std::move(ids); }
    /// Gives the pictures of the moment shown their places. Called before the layout.
    void place(const Session& session);
    const PicturePlaces& places() const { return places_; }
    const std::vector<PictureCell>& on_stage() const { return stage_; }
    /// An export of the stage.
    ask::Export to_export(const Session& session) const;
    /// The number of pictures that want to stand in the wings, and of all if the others are unfolded, else 0.
    int wings() const { return static_cast<int>(wings_.size()); }
    int unfolded() const { return unfolded_ ? static_cast<int>(wings_.size() + more_.size()) : 0; }
    /// The height that the first wing needs in lengths of the design, if more than a curve; else 0.
    float first_wing_height() const { return map_leads_ ? 300.0F : 0.0F; }

    /// A picture of the wings is logged as "heading ID", the button of the folded ones as "more".
    void draw(const Context& context, const Layout& layout, const Painters& painters);

    /// The picture under the pointer takes the stage or leaves it. False if the pointer is over no picture.
    bool bring_pointed();
    /// The pictures stand as opened again. True if the user had moved any.
    bool send_back() { return std::exchange(own_, std::nullopt).has_value(); }
    /// The same, and folds the others away.
    void reset() {
        send_back();
        unfolded_ = false;
    }
    /// These pictures take the stage; those on it take their places in the wings.
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
    bool unfolded_ = false, scrolls_to_more_ = false, map_leads_ = false, opens_look_ = false;
    std::vector<std::string> covered_;
    PictureIds ids_;
    PicturePlaces places_;
    std::vector<PictureCell> stage_, wings_, more_;
    size_t seen_ = 0;                     // cells of the wings in the last frame
    std::optional<PictureCell> pointed_;  // in the wings, in the last frame
    std::optional<PictureCell> to_bring_;
};

}  // namespace emergence
