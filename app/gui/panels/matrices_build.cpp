// Builds the pictures of the moment shown: each matrix as learned, of run B and of theory, and their limits.
#include "app/gui/panels/matrices.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

// "P0" as P₀.
std::string with_subscript(const std::string& name) {
    std::string result;
    for (const char c : name) {
        if (c >= '0' && c <= '9')
            result += std::string("\xE2\x82") + static_cast<char>('\x80' + (c - '0'));  // U+2080 and following
        else
            result += c;
    }
    return result;
}

// The note begins with the matrix's name as its heading spells it.
void spell_name_in_note(HeatmapSpec& spec, const std::string& name) {
    if (spec.note.rfind(name + ":", 0) == 0) spec.note.replace(0, name.size(), with_subscript(name));
}

}  // namespace

std::string picture_name(const NamedMatrix& matrix) {
    return matrix.title.empty() ? with_subscript(matrix.name) : matrix.title;
}

bool mode_applies(const Snapshot& snapshot, MatrixView::Mode mode) {
    const auto& all = snapshot.matrices;
    if (mode == MatrixView::Mode::scaled) return any_of(all, [](const NamedMatrix& one) { return one.may_scale; });
    if (mode == MatrixView::Mode::difference)
        return any_of(all, [](const NamedMatrix& one) { return one.target.has_value(); });
    return true;
}

MatrixView::Mode mode_in_force(const Snapshot& snapshot, MatrixView::Mode wished) {
    for (const MatrixView::Mode mode : {wished, MatrixView::Mode::scaled})
        if (mode_applies(snapshot, mode)) return mode;
    return MatrixView::Mode::raw;
}

namespace {

constexpr const char* kAsLearned = " as learned";

std::string learned_title(const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view) {
    if (view.baseline) return fmt::format(", change since {} {}", view.baseline->step, snapshot.step_unit);
    if (view.mode == MatrixView::Mode::difference && matrix.target) return ", learned minus theory";
    return matrix.title.empty() ? kAsLearned : "";
}

// Names a seed that is shown alone, because the count above is of all.
std::string whose(const Snapshot& snapshot, const MatrixView& view) {
    const auto index = static_cast<size_t>(view.seed_index);
    if (view.seed_index < 0 || snapshot.seeds.size() < 2 || index >= snapshot.seeds.size()) return "";
    return fmt::format(", {} {}", snapshot.seed_word, snapshot.seeds[index].seed);
}

constexpr size_t kMostNamed = 3, kMostListed = 8;

struct ShownSeeds {
    int count = 0, emerged = 0;
};
ShownSeeds shown_seeds(const Snapshot& snapshot, const MatrixView& view) {
    ShownSeeds shown;
    for (size_t i = 0; i < snapshot.seeds.size(); ++i) {
        const SeedStatus& seed = snapshot.seeds[i];
        const bool alone = view.seed_index >= 0;
        if (alone ? static_cast<int>(i) != view.seed_index : seed.failed || (view.emerged_only && !seed.emerged))
            continue;
        ++shown.count;
        shown.emerged += seed.emerged ? 1 : 0;
    }
    return shown;
}

struct Named {
    std::string where;
    const Departure* block;
};
std::vector<Named> largest_first(const std::vector<MatrixDepartures>& all) {
    std::vector<Named> named;
    for (const MatrixDepartures& one : all)
        for (size_t i = 0; i < one.blocks.size(); ++i)
            named.push_back({fmt::format("{}, {}", one.matrix, one.places[i]), &one.blocks[i]});
    std::stable_sort(named.begin(), named.end(),
                     [](const Named& a, const Named& b) { return a.block->size > b.block->size; });
    return named;
}

std::string opening_of(const ShownSeeds& shown) {
    const bool some = shown.emerged > 0 && shown.emerged < shown.count;
    return some ? fmt::format("Mean of {}, not as in theory: ", shown.count) : "Not as in theory: ";
}

std::string sentence_of(const std::string& opening, const std::vector<Named>& named, size_t count, bool with_words) {
    std::string text = opening;
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) text += "; ";
        text += named[i].where;
        if (with_words) text += fmt::format(" ({})", named[i].block->what);
    }
    return text + (named.size() > count ? fmt::format("; {} more", named.size() - count) : "");
}

// Why a network that differs may have emerged.
std::string reason_of(const ShownSeeds& shown) {
    if (shown.emerged == 0) return "";
    return fmt::format(
        "\n{} of {} look like theory nevertheless: that rule asks for the pattern, not for every entry. Point at the "
        "count to see what the networks compute.",
        shown.emerged, shown.count);
}

}  // namespace

ColorLimits& MatricesPanel::limits_of(const std::string& matrix) {
    if (look_.link_limits) return look_.view.limits;
    return own_limits_.try_emplace(matrix, look_.view.limits).first->second;
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
    spell_name_in_note(pair.learned, matrix.name);
    pair.states[0].invalidate();
    pair.shares_limit = view.mode == MatrixView::Mode::scaled && matrix.may_scale && !view.baseline;
    if (!matrix.target) {
        pair.theory.reset();
        pair.departures.clear();
        return;
    }
    HeatmapSpec expected = theory_of(snapshot, matrix, view.magnitudes);
    if (!pair.theory || pair.theory->values != expected.values) pair.states[1].invalidate();
    pair.theory = std::move(expected);
    // While the run trains, names must not flicker. A moment at rest has the same names however the user came to it.
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
    spell_name_in_note(expected, matrix.name);
    return expected;
}

MatricesPanel::Beside MatricesPanel::beside(const Session& session) {
    if (session.other() != nullptr) return {session.other()->shown(), false};
    if (session.ghost() && session.ghost()->snapshot != session.snapshot()) return {session.ghost()->snapshot, true};
    return {};
}

// With the same look and limits.
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
    spell_name_in_note(*pair.other, pair.name);
    if (!beside.before)
        learned.title = fmt::format("{} of A{}{}", pair.title, look_.view.baseline ? " since pin" : minus,
                                    whose(snapshot, look_.view));
    learned.short_title.clear();
    learned.limit = pair.other->limit = std::max(learned.limit, pair.other->limit);
    pair.states[2].invalidate();
    // Theory may expect something else of B, for example with another number of layers.
    const NamedMatrix* of_a = find_matrix(snapshot, pair.name);
    if (beside.before || !pair.theory || of_a == nullptr) return;
    const bool own = apart && matrix->target;
    for (std::string* title : {&pair.theory->title, &pair.theory->short_title}) *title += own ? " of A" : " of both";
    if (!own) return;
    pair.theory_of_other = theory_of(other, *matrix, view.magnitudes);
    for (std::string* title : {&pair.theory_of_other->title, &pair.theory_of_other->short_title}) *title += " of B";
    pair.theory_of_other->id = pair.name + " theory of B";
    pair.states[3].invalidate();
}

void MatricesPanel::link_limits() {
    if (look_.link_limits && !look_.every_seed) {
        // Matrices of one unit share their limit: weights do, but not weights and an attention map.
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
    // If theory differs for one matrix, all have theory of A and of B, so that rows have equal length.
    const bool apart = any_of(snapshot.matrices, [&](const NamedMatrix& of_a) {
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

std::vector<Departure> seen_departures(std::vector<Departure> now, const std::vector<Departure>& before) {
    std::erase_if(now, [&](const Departure& one) {
        const bool was = any_of(before, [&](const Departure& other) { return other.block == one.block; });
        return one.size < (was ? kStillDeparts : kDeparts);
    });
    return now;
}

TheoryLine theory_line(const Snapshot& snapshot, const MatrixView& view, const std::vector<MatrixDepartures>& all) {
    const ShownSeeds shown = shown_seeds(snapshot, view);
    const bool over = snapshot.status.state == RunState::finished;
    const std::vector<Named> named = largest_first(all);
    if (named.empty() || shown.count == 0 || (shown.emerged == 0 && !over)) return {};
    TheoryLine line;
    const std::string opening = opening_of(shown);
    for (const bool with_words : {true, false})
        for (size_t count = std::min(kMostNamed, named.size()); count > 0; --count)
            line.sentences.push_back(sentence_of(opening, named, count, with_words));
    line.details = "Blocks in which the weights shown are not theory's, each matrix divided by its largest entry:";
    for (size_t i = 0; i < std::min(kMostListed, named.size()); ++i)
        line.details += fmt::format("\n{}: {} ({})", named[i].where, named[i].block->what, named[i].block->measured);
    if (named.size() > kMostListed) line.details += fmt::format("\nand {} more", named.size() - kMostListed);
    line.details += reason_of(shown);
    return line;
}

float theory_line_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }

void draw_theory_line(const Ui& ui, const TheoryLine& line, float width) {
    if (line.sentences.empty()) return;
    std::string text;
    for (const std::string& one : line.sentences)
        if (text_size(ui.fonts.small, text = greek(one)).x <= width) break;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text = whole_parts(ui.fonts.small, text, width);
    draw_text(ImGui::GetWindowDrawList(), ui.fonts.small, at, ui.colors.muted, text);
    draw_place(ui, "theory line", at, {text_size(ui.fonts.small, text).x, theory_line_height(ui)});
    explain_item(ui, line.details);
}

}  // namespace emergence
