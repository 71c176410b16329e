// How the matrices are looked at, as named values and back.
#include "app/gui/panels/matrices.h"
#include "app/gui/session/view_values.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

using Mode = MatrixView::Mode;
using Rule = ColorLimits::Rule;

constexpr double kMostSeeds = 1e6;
constexpr const char* kModes[] = {"scaled", "raw", "difference"};
constexpr const char* kRules[] = {"automatic", "percentile", "manual"};
constexpr const char* kMatrix = "matrix.";  // "matrix.P0.limits"

void limits_fields(ViewFields& f, const std::string& name, ColorLimits& limits) {
    const ColorLimits first;
    f.choice(name + "limits", limits.rule, first.rule, kRules);
    if (f.reads() || limits.rule == Rule::percentile)
        f.number(name + "percentile", limits.percentile, first.percentile, 0.0, 100.0);
    if (f.reads() || limits.rule == Rule::manual)
        f.number(name + "limit", limits.manual, first.manual, kSmallestLimit, kLargestLimit);
}

void look_of_matrices(ViewFields& f, MatrixLook& look) {
    f.choice("matrix_mode", look.view.mode, Mode::scaled, kModes);
    f.number("seed_index", look.view.seed_index, -1, 0.0, kMostSeeds);
    f.flag("emerged_only", look.view.emerged_only, false);
    f.flag("magnitudes", look.view.magnitudes, false);
    limits_fields(f, "", look.view.limits);
    f.flag("link_limits", look.link_limits, true);
    f.flag("link_zoom", look.link_zoom, true);
    f.flag("tiles", look.every_seed, false);
}

}  // namespace

void MatricesPanel::write_view(ViewValues& view) const {
    ViewFields f = ViewFields::writing(view);
    MatrixLook look = look_;
    look_of_matrices(f, look);
    for (auto [matrix, limits] : own_limits_) limits_fields(f, kMatrix + matrix + ".", limits);
}

void MatricesPanel::restore_view(const ViewValues& view) {
    ViewFields f = ViewFields::reading(view);
    look_.view = {};
    wished_mode_.reset();  // that was of what was open before
    look_of_matrices(f, look_);
    own_limits_.clear();
    const std::string matrix = kMatrix, ending = ".limits";
    for (auto entry = view.lower_bound(matrix); entry != view.end() && entry->first.starts_with(matrix); ++entry) {
        const std::string& name = entry->first;
        if (!name.ends_with(ending) || name.size() <= matrix.size() + ending.size()) continue;
        const size_t end = name.size() - ending.size();
        limits_fields(f, name.substr(0, end + 1), own_limits_[name.substr(matrix.size(), end - matrix.size())]);
    }
}

}  // namespace emergence
