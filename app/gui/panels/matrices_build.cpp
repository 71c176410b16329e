// Makes the pictures of the moment shown: each matrix as learned, run B's, theory's, and their limits.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/gui/panels/matrices.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

constexpr const char* kAsLearned = " as learned";

std::string learned_title(const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view) {
    if (view.baseline && view.baseline->run_number != snapshot.run_number)
        return fmt::format(" minus the saved run's at {} {}", view.baseline->step, snapshot.step_unit);
    if (view.baseline) return fmt::format(", change since {} {}", view.baseline->step, snapshot.step_unit);
    if (view.mode == MatrixView::Mode::difference && matrix.target) return ", learned minus theory";
    return matrix.title.empty() ? kAsLearned : "";
}

// Of one seed alone: its matrices may stand below a count of all.
std::string whose(const Snapshot& snapshot, const MatrixView& view) {
    const auto index = static_cast<size_t>(view.seed_index);
    if (view.seed_index < 0 || snapshot.seeds.size() < 2 || index >= snapshot.seeds.size()) return "";
    return fmt::format(", {} {}", snapshot.seed_word, snapshot.seeds[index].seed);
}

}  // namespace

ColorLimits& MatricesPanel::limits_of(const std::string& matrix) {
    if (look_.link_limits) return look_.view.limits;
    return own_limits_.try_emplace(matrix, look_.view.limits).first->second;
}

MatrixZoom& MatricesPanel::zoom_of(Pair& pair) {
    if (!look_.link_zoom) return pair.zoom;
    return linked_zooms_[{pair.learned.values.rows, pair.learned.values.columns}];
}

void MatricesPanel::build_pair(const Snapshot& snapshot, const NamedMatrix& matrix, Pair& pair) {
    MatrixView view = look_.view;
    view.limits = limits_of(matrix.name);
    pair.name = matrix.name;
    pair.help = matrix.help;
    pair.learned = heatmap_of(snapshot, matrix, view);
    pair.learned.id = matrix.name + " learned";
    pair.title = picture_name(matrix);
    pair.learned.title = pair.title + learned_title(snapshot, matrix, view);
    const std::string seed = whose(snapshot, view);
    if (pair.learned.title == pair.title + kAsLearned || !seed.empty())
        pair.learned.short_title = pair.title + (seed.empty() ? ", learned" : seed);
    pair.learned.title += seed;
    pair.learned.color_map = map_name(pair.learned, look_);
    spell_name_in_note(pair.learned, matrix.name);
    pair.learned_state.invalidate();
    pair.shares_limit = view.mode == MatrixView::Mode::scaled && matrix.may_scale && !view.baseline;
    if (!matrix.target) {
        pair.theory.reset();
        pair.departures.clear();
        return;
    }
    HeatmapSpec expected = theory_of(snapshot, matrix, view.magnitudes);
    if (!pair.theory || pair.theory->values != expected.values) pair.theory_state.invalidate();
    pair.theory = std::move(expected);
    // What is named does not flicker while the run trains; of a moment that rests it is the same, however one came to it.
    const bool trains = snapshot.status.state == RunState::running;
    pair.departures =
        seen_departures(departures(pair.learned, *pair.theory), trains ? pair.departures : std::vector<Departure>());
}

HeatmapSpec MatricesPanel::theory_of(const Snapshot& snapshot, const NamedMatrix& matrix, bool magnitudes) const {
    MatrixView theory;
    theory.mode = MatrixView::Mode::theory;
    theory.magnitudes = magnitudes;
    HeatmapSpec expected = heatmap_of(snapshot, matrix, theory);
    expected.id = matrix.name + " theory";
    expected.title = with_subscript(matrix.name) + " as theory expects";
    expected.short_title = with_subscript(matrix.name) + ", theory";
    expected.unit = "theory";
    expected.color_map = map_name(expected, look_);
    spell_name_in_note(expected, matrix.name);
    return expected;
}

// Run B's comes first.
MatricesPanel::Beside MatricesPanel::beside(const Session& session) {
    if (session.other() != nullptr) return {session.other()->shown(), false};
    if (session.ghost() && session.ghost()->snapshot != session.snapshot()) return {session.ghost()->snapshot, true};
    return {};
}

// Looked at alike, with the same limits.
void MatricesPanel::build_other(const Snapshot& snapshot, const Beside& beside, bool apart, Pair& pair) {
    const Snapshot& other = *beside.moment;
    const NamedMatrix* matrix = find_matrix(other, pair.name);
    if (matrix == nullptr) return;
    MatrixView view = look_.view;
    view.limits = limits_of(pair.name);
    if (view.seed_index >= static_cast<int>(other.seeds.size())) view.seed_index = -1;
    view.baseline.reset();  // the pinned moment is one of A's
    HeatmapSpec& learned = pair.learned;
    pair.other = heatmap_of(other, *matrix, view);
    pair.other->id = pair.name + " B";
    const char* minus = view.mode == MatrixView::Mode::difference ? " minus theory" : "";
    pair.other->title =
        beside.before ? picture_name(*matrix) + ", before" : fmt::format("{} of B{}", pair.title, minus);
    pair.other->title += whose(other, view);
    pair.other->color_map = learned.color_map;
    spell_name_in_note(*pair.other, pair.name);
    if (!beside.before)
        learned.title = fmt::format("{} of A{}{}", pair.title, look_.view.baseline ? " since pin" : minus,
                                    whose(snapshot, look_.view));
    learned.short_title.clear();
    learned.limit = pair.other->limit = std::max(learned.limit, pair.other->limit);
    pair.other_state.invalidate();
    // Theory may expect something else of B, say with another number of layers.
    const NamedMatrix* of_a = find_matrix(snapshot, pair.name);
    if (beside.before || !pair.theory || of_a == nullptr) return;
    const bool own = apart && matrix->target;
    for (std::string* title : {&pair.theory->title, &pair.theory->short_title}) *title += own ? " of A" : " of both";
    if (!own) return;
    pair.theory_of_other = theory_of(other, *matrix, view.magnitudes);
    for (std::string* title : {&pair.theory_of_other->title, &pair.theory_of_other->short_title}) *title += " of B";
    pair.theory_of_other->id = pair.name + " theory of B";
    pair.theory_of_other_state.invalidate();
}

void MatricesPanel::link_limits() {
    if (look_.link_limits && !look_.every_seed) {
        // Numbers of one unit share their limits: weights, say, but not weights and an attention map.
        std::map<std::pair<std::string, bool>, double> largest;
        const auto limit_of = [&largest](const Pair& pair) -> double& {
            return largest[{pair.learned.unit, pair.learned.magnitudes}];
        };
        for (const Pair& pair : pairs_)
            if (!pair.learned.values.values.empty()) limit_of(pair) = std::max(limit_of(pair), pair.learned.limit);
        for (Pair& pair : pairs_)
            if (limit_of(pair) > pair.learned.limit && !pair.learned.values.values.empty()) {
                pair.learned.limit = limit_of(pair);
                pair.learned.note += ", colours shared with others";
            }
    }
    for (Pair& pair : pairs_)
        if (pair.other) pair.other->limit = pair.learned.limit;
    for (Pair& pair : pairs_)
        if (pair.theory && pair.shares_limit) pair.theory->limit = pair.learned.limit;
}

void MatricesPanel::build(const Snapshot& snapshot, const Beside& beside) {
    // Where theory expects something else of one matrix, all have theory of A and of B: rows of equal length.
    const bool apart = std::any_of(snapshot.matrices.begin(), snapshot.matrices.end(), [&](const NamedMatrix& of_a) {
        const NamedMatrix* of_b = beside.moment ? find_matrix(*beside.moment, of_a.name) : nullptr;
        return of_b != nullptr && of_b->target && of_b->target != of_a.target;
    });
    pairs_.resize(snapshot.matrices.size());
    for (size_t i = 0; i < pairs_.size(); ++i) {
        build_pair(snapshot, snapshot.matrices[i], pairs_[i]);
        pairs_[i].other.reset();
        pairs_[i].theory_of_other.reset();
        if (beside.moment) build_other(snapshot, beside, apart, pairs_[i]);
    }
    link_limits();
}

void MatricesPanel::update(const std::shared_ptr<const Snapshot>& snapshot, const Beside& beside) {
    if (look_.link_limits) own_limits_.clear();
    for (const NamedMatrix& matrix : snapshot->matrices) limits_of(matrix.name);
    built_.update({snapshot, beside, look_, own_limits_}, [&] { build(*snapshot, beside); });
}

}  // namespace emergence
