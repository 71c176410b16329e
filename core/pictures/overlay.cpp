#include "core/pictures/overlay.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/pictures/palette.h"

namespace emergence {
namespace {

bool same_numbers(const Series& a, const Series& b) {
    if (a.rows.size() != b.rows.size()) return false;
    for (size_t row = 0; row < a.rows.size(); ++row)
        // Of a run that lags behind: as far as it has come.
        for (size_t i = 0; i < std::min(a.rows[row].size(), b.rows[row].size()); ++i)
            if (a.rows[row][i] != b.rows[row][i] && !(std::isnan(a.rows[row][i]) && std::isnan(b.rows[row][i])))
                return false;
    return true;
}

// Whether the reference is the same in the other run.
bool is_shared(const PlotSpec& other, const Series& reference) {
    return std::any_of(other.series.begin(), other.series.end(), [&](const Series& one) {
        return one.dashed && one.name == reference.name && same_numbers(one, reference);
    });
}

bool look_alike(const Series& a, const Series& b) {
    return a.color == b.color && a.dashed == b.dashed && a.points == b.points;
}

// Lines from `first` on that look as one before them get another dash pattern.
void tell_apart(std::vector<Series>& all, size_t first) {
    for (size_t i = first; i < all.size(); ++i) {
        const auto taken = [&] {
            return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                               [&](const Series& one) { return look_alike(one, all[i]); });
        };
        for (int pattern = 1; pattern < kDashPatterns && taken(); ++pattern) {
            all[i].color = in_dashes(all[i].color, pattern);
            all[i].dashed = true;
        }
    }
}

// A colour of run B's own for each of A's, which A's lines do not have as long as there are others. Ordered things
// keep their order.
class ColorsOfB {
  public:
    explicit ColorsOfB(const std::vector<Series>& of_a) {
        for (const Series& series : of_a) taken_.insert(in_dashes(series.color, 0));
    }
    int operator()(int color) {
        const int plain = in_dashes(color, 0);
        const auto [place, is_new] = given_.try_emplace(plain, other_course(plain));
        if (!is_new || place->second != plain) return place->second;
        for (const int candidate : {4, 6, 2, 5, 3, 8, 10, 1, 9, 11, 7, 0}) {  // far apart; first that of run B's name
            if (!taken_.insert(candidate).second) continue;
            place->second = candidate;
            break;
        }
        return place->second;
    }

  private:
    std::set<int> taken_;
    std::map<int, int> given_;
};

}  // namespace

void overlay(PlotSpec& plot, const PlotSpec& of_b) {
    constexpr int kDots = 1;
    const PlotSpec of_a = plot;
    for (Series& series : plot.series)
        if (!series.name.empty() && !(series.dashed && is_shared(of_b, series))) series.name += ", A";
    ColorsOfB colors(of_a.series);
    bool left_out = false;  // with what belongs to it
    for (const Series& series : of_b.series) {
        if (!series.name.empty()) left_out = series.dashed && is_shared(of_a, series);
        if (left_out) continue;
        Series& added = plot.series.emplace_back(series);
        added.color = in_dashes(colors(series.color), series.dashed ? kDots : 0);
        added.dashed = true;
        if (!added.name.empty()) added.name += ", B";
    }
    tell_apart(plot.series, of_a.series.size());
    if (!plot.readout.empty() && plot.readout != of_b.readout) plot.readout = "A, " + plot.readout;
    plot.note += (plot.note.empty() ? "" : " ") +
                 std::string(
                     "Run B is dashed, its references are dotted, in colours of their own. References "
                     "that are the same for both runs are drawn once.");
}

void overlay(std::vector<PlotSpec>& plots, const std::vector<PlotSpec>& of_b) {
    for (PlotSpec& plot : plots)
        for (const PlotSpec& other : of_b)
            if (other.id == plot.id) overlay(plot, other);
}

namespace {

// Solid lines, by their places among the plot's quantities.
template <class Change>
void for_quantities(std::vector<Series>& all, size_t until, Change change) {
    int quantity = 0;
    for (size_t i = 0; i < until; ++i)
        if (!all[i].dashed && !all[i].name.empty()) change(all[i], quantity++);
}

// One colour a run, a line style a quantity: the first solid, the others in patterns that no reference has.
void style_as(Series& series, int run, int quantity) {
    constexpr int kColors[] = {0, 6, 3, 2, 4, 5, 1, 7, 8, 9, 10, 11};  // far apart; the present run's first
    series.color = in_dashes(kColors[static_cast<size_t>(run + 1) % std::size(kColors)], quantity);
    series.dashed = quantity > 0;
}

}  // namespace

void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept) {
    if (kept.empty()) return;
    const bool several = kept.size() > 1;
    const size_t own = plot.series.size();
    int run = 0;
    for (const auto& [name, of_run] : kept) {
        std::vector<Series> lines = of_run.series;
        for_quantities(lines, lines.size(), [&, label = name](const Series& series, int quantity) {
            Series& added = plot.series.emplace_back(series);
            added.name += ", " + label;
            added.dashed = true;
            if (several) style_as(added, run, quantity);
        });
        ++run;
    }
    if (several) for_quantities(plot.series, own, [](Series& series, int quantity) { style_as(series, -1, quantity); });
    tell_apart(plot.series, own);
    plot.note += (plot.note.empty() ? "" : " ") +
                 std::string(several ? "Each run has a colour, each quantity a line style: saved runs are named "
                                       "behind the quantity, the present run is not."
                                     : "The saved run is dashed, in the colours of the present one.");
}

void overlay_before(PlotSpec& plot, const PlotSpec& before) {
    const size_t own = plot.series.size();
    std::vector<Series> lines = before.series;
    for_quantities(lines, lines.size(), [&](const Series& series, int) {
        Series& added = plot.series.emplace_back(series);
        added.name += ", before";
        added.dashed = true;
    });
    tell_apart(plot.series, own);
    plot.note +=
        (plot.note.empty() ? "" : " ") + std::string("Dashed, in the same colours: how it was before the change.");
}

}  // namespace emergence
