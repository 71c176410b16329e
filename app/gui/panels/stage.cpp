#include "app/gui/panels/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

using CellKind = PictureCell::Kind;

constexpr size_t kMostBeside = 3;

PictureCell cell_of(const std::string& id, const PictureIds& ids) {
    const bool scene = contains(ids.scenes, id);
    const CellKind kind = ids.has_matrix(id) ? CellKind::matrices
                          : id == kSeedTiles ? CellKind::tiles
                          : scene            ? CellKind::scene
                                             : CellKind::plot;
    return {kind, {id}};
}

bool of_one_size(const Snapshot& snapshot, const std::string& a, const std::string& b) {
    const NamedMatrix* one = find_matrix(snapshot, a);
    const NamedMatrix* other = find_matrix(snapshot, b);
    if (one == nullptr || other == nullptr || one->seeds.empty() || other->seeds.empty()) return false;
    return one->seeds.front().rows == other->seeds.front().rows &&
           one->seeds.front().columns == other->seeds.front().columns;
}

// On the stage all matrices share a cell.
std::vector<PictureCell> stage_cells(const std::vector<std::string>& places, const PictureIds& ids) {
    std::vector<PictureCell> cells;
    for (const std::string& id : places) {
        const PictureCell one = cell_of(id, ids);
        const auto matrices = find_if(cells, [](const PictureCell& c) { return c.kind == CellKind::matrices; });
        if (one.kind == CellKind::matrices && matrices != cells.end())
            matrices->ids.push_back(id);
        else
            cells.push_back(one);
    }
    return cells;
}

// In the wings neighbours of equal size share one, at most three.
std::vector<PictureCell> wing_cells(const std::vector<std::string>& places, const PictureIds& ids,
                                    const Snapshot& snapshot) {
    std::vector<PictureCell> cells;
    for (const std::string& id : places) {
        const PictureCell one = cell_of(id, ids);
        const bool joins = one.kind == CellKind::matrices && !cells.empty() &&
                           cells.back().kind == CellKind::matrices && cells.back().ids.size() < kMostBeside &&
                           of_one_size(snapshot, cells.back().ids.front(), id);
        if (joins)
            cells.back().ids.push_back(id);
        else
            cells.push_back(one);
    }
    return cells;
}

float heading_height(const Ui& ui) { return ui.fonts.bold->FontSize + ui.px(2); }

// The box without its panel's padding.
Box padded(const Ui& ui, const Box& box) {
    const ImVec2 pad(ui.px(10), ui.px(9));
    return {{box.min.x + pad.x, box.min.y + pad.y}, {box.size.x - 2 * pad.x, box.size.y - 2 * pad.y}};
}

// Two arrows outwards along a diagonal: "enlarge".
void draw_enlarging(const Ui& ui, ImVec2 centre, ImU32 color) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float far = ui.px(5), wing = ui.px(4), width = 1.5F * ui.scale;
    for (const float way : {1.0F, -1.0F}) {
        const ImVec2 tip(centre.x + way * far, centre.y - way * far);
        list->AddLine({centre.x + way * ui.px(1), centre.y - way * ui.px(1)}, tip, color, width);
        list->AddLine(tip, {tip.x - way * wing, tip.y}, color, width);
        list->AddLine(tip, {tip.x, tip.y + way * wing}, color, width);
    }
}

}  // namespace

std::vector<std::string> first_controls(std::vector<std::string> chosen, const Settings& settings) {
    static const std::vector<std::string> kWords[] = {
        {"num_layers", "layers"}, {"eval_context_length", "n", "max_context_length"}, {"frequency", "test_frequency"}};
    const auto used = [&](const std::string& name) {
        return settings.has(name) && why_idle(settings, settings.info(name)).empty();
    };
    std::erase_if(chosen, [&](const std::string& name) { return !used(name); });
    for (const std::vector<std::string>& word : kWords) {
        if (any_of(word, [&](const std::string& name) { return contains(chosen, name); })) continue;
        const auto first = find_if(word, used);
        if (first != word.end()) chosen.push_back(*first);
    }
    return chosen;
}

std::vector<std::string> controls_of(const std::vector<PictureCell>& stage, std::vector<std::string> settings,
                                     const Snapshot& snapshot) {
    const auto is_weights = [&](const std::string& id) {
        const NamedMatrix* matrix = find_matrix(snapshot, id);
        return matrix != nullptr && !matrix->initial_products.values.empty();
    };
    const bool weights_only = all_of(stage, [&](const PictureCell& cell) {
        return cell.kind == CellKind::tiles || (cell.kind == CellKind::matrices && all_of(cell.ids, is_weights));
    });
    if (!weights_only || stage.empty()) return settings;
    std::erase_if(settings, [&](const std::string& name) {
        return snapshot.settings.has(name) && snapshot.settings.info(name).group == "evaluation" &&
               std::holds_alternative<int64_t>(snapshot.settings.value(name));
    });
    return settings;
}

void StagePanel::open(Staging home, std::optional<Staging> own) {
    home_ = std::move(home);
    own_ = std::move(own);
    unfolded_ = false;
}

bool StagePanel::bring_pointed() {
    if (!pointed_) return send_back();
    bring(pointed_->ids);
    return true;
}

void StagePanel::bring(const std::vector<std::string>& ids) {
    Staging now{ids, {}, home_.controls};
    const auto brought = [&](const std::string& id) { return contains(ids, id); };
    bool placed = false;
    const auto place_former = [&] {
        for (const std::string& id : places_.stage)
            if (!brought(id)) now.wings.push_back(id);
        placed = true;
    };
    const bool from_wings = any_of(places_.wings, brought);
    if (!from_wings) place_former();
    for (const std::string& id : places_.wings)
        if (!brought(id))
            now.wings.push_back(id);
        else if (!placed)
            place_former();
    own_ = std::move(now);
    if (place_pictures(*own_, ids_) == place_pictures(home_, ids_)) own_.reset();
}

void StagePanel::place(const Session& session) {
    if (!session.snapshot()) {
        stage_.clear();
        wings_.clear();
        more_.clear();
        places_ = {};
        return;
    }
    const Snapshot& snapshot = *session.snapshot();
    const std::vector<MetricPlot> plots = session.study() ? session.study()->metric_plots() : std::vector<MetricPlot>();
    ids_ = picture_ids(plots, snapshot);
    for (const std::string& id : covered_) {
        for (auto* list : {&ids_.matrices, &ids_.plots, &ids_.scenes, &ids_.leading}) std::erase(*list, id);
        ids_.tiles = ids_.tiles && id != kSeedTiles;
    }
    places_ = place_pictures(staging(), ids_);
    stage_ = stage_cells(places_.stage, ids_);
    wings_ = wing_cells(places_.wings, ids_, snapshot);
    more_ = wing_cells(places_.more, ids_, snapshot);
    map_leads_ = !wings_.empty() && any_of(plots, [&](const MetricPlot& plot) {
        return plot.plane && plot.id == wings_.front().ids.front();
    });
}

std::vector<std::string> StagePanel::plots_in_order() const {
    std::vector<std::string> plots;
    size_t seen = 0;
    for (const auto* cells : {&stage_, &wings_, &more_})
        for (const PictureCell& cell : *cells) {
            if (cells != &stage_ && seen++ >= seen_) continue;
            if (cell.kind == CellKind::plot) plots.push_back(cell.ids.front());
        }
    return plots;
}

ask::Export StagePanel::to_export(const Session& session) const {
    using Kind = FigureChoice::Kind;
    if (stage_.empty()) return {Kind::window};
    const CellKind one = stage_.front().kind;
    for (const PictureCell& cell : stage_)
        if (cell.kind != one) return {Kind::stage};
    if (one == CellKind::scene) return {Kind::scene};
    if (one != CellKind::plot) return {Kind::matrices};
    if (stage_.size() > 1) return {Kind::curves};
    return {Kind::plot, file_stem(session.info().name + "-" + stage_.front().ids.front())};
}

void StagePanel::draw(const Context& context, const Layout& layout, const Painters& painters) {
    const Session& session = context.session;
    pointed_.reset();
    to_bring_.reset();
    seen_ = layout.wings.size();
    const int seed = painters.matrices.seed_index();
    painters.matrices.begin_frame(session);
    painters.curves.begin_frame(session, seed, plots_in_order());
    painters.scene.begin_frame(session, seed);
    painters.matrices.draw_history_elsewhere(!layout.wings.empty());
    draw_stage(context, layout.stage, painters);
    if (layout.column.shown()) draw_wings(context, layout, painters);
    if (layout.strip.shown()) draw_strip(context, layout.strip);
    if (to_bring_) bring(to_bring_->ids);
}

void StagePanel::draw_stage(const Context& context, const Box& box, const Painters& painters) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "stage", box);
    draw_curves_look(ui, painters.curves);
    if (!session.snapshot()) {
        // The first step waits for samples and held-out banks, which takes a while with many prompts.
        draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.bold,
                         {box.min.x + box.size.x / 2, box.min.y + box.size.y / 2}, Placed::centre, ui.colors.muted,
                         "getting ready: drawing tasks and samples…");
        return;
    }
    const bool plots = all_of(stage_, [](const PictureCell& cell) { return cell.kind == CellKind::plot; });
    if (plots && !stage_.empty() && !ui.presenting) painters.curves.draw_spreads(ui, stage_.front().ids.front());
    const Box room{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()};
    const std::vector<Box> cells = share_stage(room, static_cast<int>(stage_.size()), ui.px(14));
    for (size_t i = 0; i < stage_.size(); ++i) {
        const PictureCell& cell = stage_[i];
        ImGui::SetCursorScreenPos(cells[i].min);
        switch (cell.kind) {
            case CellKind::plot:
                painters.curves.draw(context, cell.ids.front(), cells[i].size);
                break;
            case CellKind::scene:
                painters.scene.draw(context, cell.ids.front(), cells[i].size);
                break;
            case CellKind::matrices:
                painters.matrices.draw(context, cell.ids, cells[i].size);
                break;
            case CellKind::tiles:
                // Once a seed is chosen, its matrices take the stage.
                if (!painters.matrices.draw_tiles(context, cells[i].size))
                    to_bring_ = PictureCell{CellKind::matrices, ids_.matrices};
                break;
        }
    }
}

void StagePanel::draw_heading(const Ui& ui, const Box& box, const PictureCell& cell) {
    ImGui::SetCursorScreenPos(box.min);
    // The right end is for the button of a zoomed plot.
    const float width = box.size.x - ui.px(cell.kind == CellKind::plot ? 40 : 4);
    std::string id = "heading";
    for (const std::string& one : cell.ids) id += " " + one;
    if (ImGui::InvisibleButton(id.c_str(), {std::max(ui.px(30), width), heading_height(ui)})) to_bring_ = cell;
    for (const std::string& one : cell.ids) log_item(ui, "heading " + one);
    const bool hovered = ImGui::IsItemHovered();
    if (!pointed_ || *pointed_ != cell) return;
    draw_enlarging(ui, {box.min.x + width - ui.px(10), box.min.y + heading_height(ui) / 2},
                   hovered ? ui.colors.accent : ui.colors.muted);
    if (!hovered) return;
    ImGui::GetWindowDrawList()->AddLine({box.min.x, box.min.y + heading_height(ui)},
                                        {box.min.x + width, box.min.y + heading_height(ui)}, ui.colors.accent);
    explain_item(ui, "Click: on stage  (Z). Esc brings it back.");
}

void StagePanel::draw_wing(const Context& context, const Box& box, const PictureCell& cell, const Painters& painters) {
    const auto& [ui, session, asks] = context;
    const ImVec2 end = box.max();
    if (!ImGui::IsRectVisible(box.min, end)) return;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseHoveringRect(box.min, end))
        pointed_ = cell;
    const Box room = padded(ui, box);
    draw_heading(ui, room, cell);
    ImGui::SetCursorScreenPos(room.min);
    if (cell.kind == CellKind::plot)
        painters.curves.draw(context, cell.ids.front(), room.size);
    else if (cell.kind == CellKind::scene)
        painters.scene.draw(context, cell.ids.front(), room.size, true);
    else if (cell.kind == CellKind::matrices)
        painters.matrices.draw_small(ui, cell.ids, room.size);
    else
        painters.matrices.draw_small_tiles(ui, session, room.size);
}

bool StagePanel::shows(CellKind kind) const {
    return any_of(stage_, [&](const PictureCell& cell) { return cell.kind == kind; });
}

void StagePanel::draw_wings(const Context& context, const Layout& layout, const Painters& painters) {
    const auto& [ui, session, asks] = context;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    const Panel panel(ui, "wings", layout.column, unfolded_);
    ImGui::PopStyleVar();
    if (unfolded_ && layout.wings.size() > wings_.size() && std::exchange(scrolls_to_more_, false))
        ImGui::SetScrollY(layout.wings[wings_.size()].min.y - layout.column.min.y);
    const float scrolled = ImGui::GetScrollY();
    bool history_drawn = false;
    const float bar = ImGui::GetScrollMaxY() > 0.0F ? ImGui::GetStyle().ScrollbarSize : 0.0F;
    for (size_t i = 0; i < layout.wings.size(); ++i) {
        Box box = layout.wings[i];
        box.min.y -= scrolled;
        box.size.x -= bar;
        ImGui::PushID(static_cast<int>(i));
        // A cell's history takes the place of the last visible picture, so that it hides no matrix.
        const bool last = i + 1 == layout.wings.size() || layout.wings[i + 1].max().y > layout.column.max().y + 1.0F;
        if (last && !history_drawn && painters.matrices.wants_history() && shows(CellKind::matrices)) {
            const Box room = padded(ui, box);
            ImGui::SetCursorScreenPos(room.min);
            painters.matrices.draw_history(ui, session, room.size);
            history_drawn = true;
        } else {
            draw_wing(context, box, i < wings_.size() ? wings_[i] : more_[i - wings_.size()], painters);
        }
        ImGui::PopID();
    }
    if (layout.wings.empty()) return;
    const Box& last = layout.wings.back();
    ImGui::SetCursorScreenPos({layout.column.min.x, last.max().y - scrolled});
    ImGui::Dummy({1.0F, 1.0F});
}

void StagePanel::draw_curves_look(const Ui& ui, CurvesPanel& curves) {
    if (std::exchange(opens_look_, false)) ImGui::OpenPopup("curves look");
    if (!ImGui::BeginPopup("curves look")) return;
    curves.draw_look(ui);
    ImGui::EndPopup();
}

void StagePanel::draw_strip(const Context& context, const Box& box) {
    const auto& [ui, session, asks] = context;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(6)});
    const Panel panel(ui, "strip", box);
    ImGui::PopStyleVar();
    const size_t folded = wings_.size() + more_.size() - std::min(seen_, wings_.size() + more_.size());
    const float side = box.size.y - 2 * ui.px(6);
    if (unfolded_ || folded > 0) {
        const std::string label = unfolded_ ? "▾ less" : fmt::format("▸ {} more", folded);
        if (draw_button(ui, "more", label, {0.0F, side},
                        unfolded_ ? "Fold away all but the first pictures" : "Show all other pictures below these"))
            scrolls_to_more_ = unfolded_ = !unfolded_;
        ImGui::SameLine();
    }
    if (draw_button(ui, "export pictures", "Export", {0.0F, side}, "Export as PDF, SVG, PNG or data  (Ctrl + E)"))
        asks(to_export(session));
    if (own_) {
        ImGui::SameLine();
        if (draw_button(ui, "reset layout", "↺", {0.0F, side}, "Reset layout: pictures where the preset has them"))
            reset();
    }
}

}  // namespace emergence
