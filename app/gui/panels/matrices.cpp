#include "app/gui/panels/matrices.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

bool same(const MatrixView& a, const MatrixView& b) {
    return a.mode == b.mode && a.seed_index == b.seed_index && a.emerged_only == b.emerged_only;
}

// "P0" as P₀.
std::string with_subscript(const std::string& name) {
    std::string result;
    for (const char c : name) {
        if (c >= '0' && c <= '9')
            result +=
                std::string("\xE2\x82") + static_cast<char>('\x80' + (c - '0'));  // U+2080 and following
        else
            result += c;
    }
    return result;
}

const char* learned_title(MatrixView::Mode mode) {
    return mode == MatrixView::Mode::difference ? ", learned minus theory" : " as learned";
}

std::string choice_text(const Snapshot& snapshot, const MatrixView& view) {
    if (view.seed_index >= 0)
        return fmt::format("seed {} alone", snapshot.seeds[static_cast<size_t>(view.seed_index)].seed);
    return view.emerged_only ? "mean of emerged seeds" : "mean of all seeds";
}

}  // namespace

void MatricesPanel::next_mode() {
    view_.mode = static_cast<MatrixView::Mode>((static_cast<int>(view_.mode) + 1) % 3);
}

void MatricesPanel::draw_seed_choice(const Ui& ui, const Snapshot& snapshot) {
    ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, ui.px(250)));
    const bool open = ImGui::BeginCombo("##seeds", choice_text(snapshot, view_).c_str());
    log_item(ui, "seeds");
    if (!open) return;
    if (ImGui::Selectable("mean of all seeds", view_.seed_index < 0 && !view_.emerged_only)) {
        view_.seed_index = -1;
        view_.emerged_only = false;
    }
    if (ImGui::Selectable("mean of emerged seeds", view_.seed_index < 0 && view_.emerged_only)) {
        view_.seed_index = -1;
        view_.emerged_only = true;
    }
    for (int i = 0; i < static_cast<int>(snapshot.seeds.size()); ++i) {
        const SeedStatus& seed = snapshot.seeds[static_cast<size_t>(i)];
        const char* how = seed.failed ? "stopped" : seed.emerged ? "emerged" : "not emerged";
        if (ImGui::Selectable(fmt::format("seed {} alone ({})", seed.seed, how).c_str(),
                              view_.seed_index == i))
            view_.seed_index = i;
    }
    ImGui::EndCombo();
}

void MatricesPanel::draw_toolbar(const Ui& ui, const Session& session) {
    int mode = std::min(static_cast<int>(view_.mode), 2);
    if (draw_segments(ui, "view", {"scaled", "raw", "minus theory"}, mode))
        view_.mode = static_cast<MatrixView::Mode>(mode);
    ImGui::SameLine(0.0F, ui.px(16));
    draw_seed_choice(ui, *session.snapshot());
}

void MatricesPanel::rebuild(const std::shared_ptr<const Snapshot>& snapshot) {
    if (snapshot == built_from_ && same(view_, built_view_)) return;
    pairs_.resize(snapshot->matrices.size());
    for (size_t i = 0; i < pairs_.size(); ++i) {
        const NamedMatrix& matrix = snapshot->matrices[i];
        Pair& pair = pairs_[i];
        pair.learned = heatmap_of(*snapshot, matrix, view_);
        pair.learned.id = matrix.name + " learned";
        pair.learned.title = with_subscript(matrix.name) + learned_title(view_.mode);
        pair.help = matrix.help;
        pair.learned_state.invalidate();
        if (matrix.target) {
            MatrixView theory;
            theory.mode = MatrixView::Mode::theory;
            HeatmapSpec expected = heatmap_of(*snapshot, matrix, theory);
            expected.id = matrix.name + " theory";
            expected.title = with_subscript(matrix.name) + " as theory expects";
            if (!pair.theory || pair.theory->values != expected.values) pair.theory_state.invalidate();
            pair.theory = std::move(expected);
        } else {
            pair.theory.reset();
        }
    }
    built_from_ = snapshot;
    built_view_ = view_;
}

void MatricesPanel::draw_pair(const Ui& ui, Pair& pair, ImVec2 size) {
    const float gap = ui.px(18);
    const ImVec2 half(pair.theory ? std::floor((size.x - gap) / 2) : size.x, size.y);
    const std::optional<CellPosition> pointed = pair.pointed;
    pair.pointed.reset();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto note = [&](const HeatmapResponse& response) {
        if (!response.hovered) return;
        pair.pointed = response.hovered;
        hovered_ = response;
    };
    const HeatmapSpec* theory = pair.theory ? &*pair.theory : nullptr;
    note(draw_heatmap(ui, pair.learned, pair.learned_state, half, {pointed, theory, "theory", pair.help}));
    if (theory == nullptr) return;
    ImGui::SetCursorScreenPos({at.x + half.x + gap, at.y});
    note(draw_heatmap(ui, *theory, pair.theory_state, half, {pointed, &pair.learned, "learned", pair.help}));
}

void MatricesPanel::draw(const Ui& ui, const Box& box, const Session& session) {
    const Panel panel(ui, "matrices", box, true);
    hovered_.reset();
    if (!session.snapshot()) return;
    const std::shared_ptr<const Snapshot>& snapshot = session.snapshot();
    if (view_.seed_index >= static_cast<int>(snapshot->seeds.size())) view_.seed_index = -1;
    if (snapshot->matrices.empty()) return;
    if (!ui.presenting) draw_toolbar(ui, session);
    rebuild(snapshot);
    ImGui::Dummy({0.0F, ui.px(2)});

    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = ui.px(10);
    const auto count = static_cast<float>(pairs_.size());
    // More matrices than fit in a legible size are scrolled.
    const float height =
        std::floor(std::max((room.y - gap * (count - 1)) / count, std::min(room.y, ui.px(250))));
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (Pair& pair : pairs_) {
        ImGui::SetCursorScreenPos(at);
        draw_pair(ui, pair, {room.x, height});
        at.y += height + gap;
    }
}

}  // namespace emergence
