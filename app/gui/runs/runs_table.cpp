// The table of runs as it is drawn.
#include "app/gui/runs/runs_panel.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/gui/exports/export_order.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

std::string score_text(const ListedRun& run, const std::string& name) {
    const auto found = run.scores.find(name);
    if (found == run.scores.end()) return "";
    const Summary& summary = found->second;
    const std::string of = summary.count < run.seeds ? fmt::format(", {} of {}", summary.count, run.seeds) : "";
    if (run.shares.contains(name)) {
        const auto [low, high] = share_interval(summary.mean, summary.count);
        return fmt::format("{:.4g} ({:.2g} to {:.2g}){}", summary.mean, low, high, of);
    }
    return with_minus(fmt::format("{:.4g}{}{}", summary.mean, plus_minus(summary), of));
}

}  // namespace

void RunsPanel::look_in_typed_folder() try {
    list_.follow(typed_folder(folder_), find_);
} catch (const std::runtime_error&) {
    // Nothing was left of it: what is listed stays.
}

void RunsPanel::draw_top(const Ui& ui) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("Folder");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ui.px(430));
    ImGui::InputText("##folder", &folder_);
    log_item(ui, "runs folder");
    explain_item(ui, "Its runs and those in the folders in it are listed, and followed while they are written.");
    if (ImGui::IsItemDeactivatedAfterEdit()) look_in_typed_folder();
    if (desktop_.available()) {
        ImGui::SameLine(0.0F, ui.px(6));
        ImGui::BeginDisabled(desktop_.is_open());
        if (draw_button(ui, "runs choose", "…", {ui.px(26), 0.0F}, "Choose the folder in the desktop's dialog"))
            desktop_.open(true, [this](const std::vector<std::filesystem::path>& chosen) {
                folder_ = chosen.back().string();
                look_in_typed_folder();
            });
        ImGui::EndDisabled();
    }
    ImGui::SameLine(0.0F, ui.px(12));
    ImGui::SetNextItemWidth(ui.px(200));
    ImGui::InputTextWithHint("##search", "search", &wanted_.search);
    log_item(ui, "runs search");
    ImGui::SameLine(0.0F, ui.px(12));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("Scores");
    for (int i = 0; i < kScores; ++i) {
        ImGui::SameLine();
        ImGui::PushID(i);
        ImGui::SetNextItemWidth(ui.px(120));
        std::string& chosen = wanted_.scores[static_cast<size_t>(i)];
        const bool open = ImGui::BeginCombo("##score", greek(score_label(chosen)).c_str(), ImGuiComboFlags_HeightLarge);
        log_item(ui, fmt::format("runs score {}", i).c_str());
        if (open) {
            for (const auto& [name, label] : score_labels_) {
                const std::string entry = greek(score_label(name)) + "##" + name;
                if (ImGui::Selectable(entry.c_str(), name == chosen)) chosen = name;
                log_item(ui, ("runs score " + name).c_str());
                explain_item(ui, "In files: " + name);
            }
            ImGui::EndCombo();
        } else {
            explain_item(ui, score_label(chosen) +
                                 ": the metric's last value, mean over seeds with its standard error, of shares with "
                                 "Wilson's 95 % interval");
        }
        ImGui::PopID();
    }
}

void RunsPanel::draw_headers(const Ui& ui) {
    const std::string names[kColumns] = {"##overlay",
                                         "★",
                                         "name",
                                         "experiment",
                                         "saved",
                                         "step",
                                         "seeds",
                                         "emerged",
                                         greek(score_label(built_.scores[0])),
                                         greek(score_label(built_.scores[1])),
                                         "settings that differ"};
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int column = 0; column < kColumns; ++column) {
        if (!ImGui::TableSetColumnIndex(column)) continue;
        ImGui::PushID(column);
        ImGui::TableHeader(names[column].empty() ? "##none" : names[column].c_str());
        ImGui::PopID();
        log_item(ui, fmt::format("runs column {}", column).c_str());
    }
    if (ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs(); sort != nullptr && sort->SpecsCount > 0) {
        wanted_.column = sort->Specs[0].ColumnIndex;
        wanted_.ascending = sort->Specs[0].SortDirection == ImGuiSortDirection_Ascending;
    }
}

void RunsPanel::draw_star(const Ui& ui, const Row& row, int index) {
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, row.mark.starred ? ui.colors.text : ui.colors.muted);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0F, ImGui::GetStyle().FramePadding.y});
    if (ImGui::Button(row.mark.starred ? "★##star" : "☆##star", {ImGui::GetContentRegionAvail().x, 0.0F}))
        mark(*row.run, {row.mark.name, !row.mark.starred});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    log_item(ui, fmt::format("runs star {}", index).c_str());
    explain_item(ui, row.mark.starred ? "Take the star away" : "Star this run: it is never removed to make room");
}

// The chosen run's name; its folder stays where it is.
void RunsPanel::draw_name_field(const Ui& ui) {
    const Row* row = selected_row();
    if (row != nullptr && row->run->folder != std::exchange(named_, row->run->folder)) name_ = row->mark.name;
    ImGui::BeginDisabled(row == nullptr);
    ImGui::SetNextItemWidth(std::max(ui.px(60), ImGui::GetContentRegionAvail().x));
    ImGui::InputTextWithHint("##run name", "name of the chosen run", &name_);
    log_item(ui, "runs name");
    explain_item(ui, "Names the chosen run in this list. Its folder keeps its own name.");
    if (ImGui::IsItemDeactivatedAfterEdit() && row != nullptr) mark(*row->run, {name_, row->mark.starred});
    ImGui::EndDisabled();
}

void RunsPanel::draw_row(const Context& context, const Row& row, int index) {
    const auto& [ui, session, asks] = context;
    const ListedRun& run = *row.run;
    ImGui::PushID(run.folder.c_str());
    ImGui::TableNextRow();
    const auto cell = [](int column, const std::string& text) {
        if (ImGui::TableSetColumnIndex(column)) ImGui::TextUnformatted(text.c_str());
    };
    if (ImGui::TableSetColumnIndex(kOverlay)) {
        const auto& overlays = session.overlays();
        bool on =
            std::any_of(overlays.begin(), overlays.end(), [&](const auto& one) { return one->folder == run.folder; });
        ImGui::BeginDisabled(!run.has_checkpoint || !run.settings);
        if (ImGui::Checkbox("##overlay", &on)) toggle_overlay(run.folder, context);
        ImGui::EndDisabled();
        log_item(ui, fmt::format("runs overlay {}", index).c_str());
        explain_item(ui,
                     "Draws its curves beside those of the present run: dashed; with several runs each has "
                     "a colour and each quantity a line style.");
    }
    if (ImGui::TableSetColumnIndex(kStar)) draw_star(ui, row, index);
    ImGui::TableSetColumnIndex(kName);
    ImGui::AlignTextToFramePadding();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x;
    const std::string name = row.name() + "##row";
    if (ImGui::Selectable(name.c_str(), run.folder == selected_,
                          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap |
                              ImGuiSelectableFlags_AllowDoubleClick)) {
        selected_ = run.folder;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) resume(run, false, asks);
    }
    if (ui.log != nullptr)
        ui.log->record(fmt::format("runs row {}", index), at, {at.x + wide, ImGui::GetItemRectMax().y});
    explain_item(ui, run.trouble.empty() ? run.folder.string() : run.trouble);
    cell(kExperiment, run.experiment);
    cell(kKept, local_time(run.saved_at, "%m-%d %H:%M"));
    cell(kStep, std::to_string(run.step));
    cell(kSeeds, std::to_string(run.seeds));
    cell(kEmerged, run.emerged ? fmt::format("{} of {}", *run.emerged, run.seeds) : "");
    for (int i = 0; i < kScores; ++i) cell(kFirstScore + i, score_text(run, built_.scores[static_cast<size_t>(i)]));
    if (ImGui::TableSetColumnIndex(kDiffers)) {
        if (run.settings)
            ImGui::TextUnformatted(greek(row.differs).c_str());
        else
            ImGui::TextDisabled("%s", elided(ImGui::GetFont(), run.trouble, ImGui::GetContentRegionAvail().x).c_str());
    }
    ImGui::PopID();
}

void RunsPanel::draw_table(const Context& context, float height) {
    const Ui& ui = context.ui;
    constexpr ImGuiTableFlags kTable = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                       ImGuiTableFlags_Resizable | ImGuiTableFlags_NoSavedSettings |
                                       ImGuiTableFlags_BordersInnerV;
    if (!ImGui::BeginTable("runs", kColumns, kTable, {0.0F, height})) return;
    const auto fixed = [&](float width, ImGuiTableColumnFlags more = 0) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed | more, ui.px(width));
    };
    ImGui::TableSetupScrollFreeze(0, 1);
    fixed(26, ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_NoResize);
    fixed(26, ImGuiTableColumnFlags_PreferSortDescending | ImGuiTableColumnFlags_NoResize);
    fixed(200);
    fixed(110);
    fixed(92, ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_PreferSortDescending);
    fixed(64, ImGuiTableColumnFlags_PreferSortDescending);
    fixed(62);
    fixed(76, ImGuiTableColumnFlags_PreferSortDescending);
    for (int i = 0; i < kScores; ++i) fixed(134, ImGuiTableColumnFlags_PreferSortDescending);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    draw_headers(ui);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_row(context, rows_[static_cast<size_t>(i)], i);
    ImGui::EndTable();
}

void RunsPanel::resume(const ListedRun& run, bool train, Asks& asks) {
    asks(ask::OpenRun{run.folder, run.has_checkpoint, train});
    close();
}

void RunsPanel::draw_actions(const Context& context) {
    const auto& [ui, session, asks] = context;
    const ListedRun* run = selected();
    const ImVec2 size(ui.px(120), 0.0F);
    ImGui::BeginDisabled(run == nullptr || !run->settings);
    if (draw_button(ui, "runs go on", "Resume", size, "Resumes it in place of the present run", true))
        resume(*run, true, asks);
    ImGui::SameLine();
    if (draw_button(ui, "runs look", "Look at it", size, "The same, paused  (double click)")) resume(*run, false, asks);
    ImGui::SameLine();
    ImGui::BeginDisabled(run == nullptr || !run->has_checkpoint);
    if (draw_button(ui, "runs subtract", "Subtract", size,
                    "Shows the present run's matrices minus those of this one's last moment: it becomes pin 1"))
        start_reading(
            run->folder, [](std::shared_ptr<const OverlaidRun> read) -> Ask { return ask::Subtract{std::move(read)}; },
            asks);
    ImGui::SameLine();
    if (draw_button(ui, "runs compare", "Compare", size,
                    "Differences between this run and the present one: every score, with intervals and tests"))
        start_reading(
            run->folder, [](std::shared_ptr<const OverlaidRun> read) -> Ask { return ask::Compare{std::move(read)}; },
            asks);
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (draw_button(ui, "runs copy", "Copy path", size, "")) ImGui::SetClipboardText(run->folder.c_str());
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(session.overlays().empty());
    if (draw_button(ui, "runs clear", "None beside", size, "No other run is drawn in the curves any more"))
        asks(ask::Overlay{});
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (draw_button(ui, "runs save", "Save this run", size, "Saves the present run in a folder  (Ctrl + S)"))
        asks(Action::save_run);
    ImGui::SameLine();
    draw_name_field(ui);
}

// One line, or why the chosen run cannot be read, as long as that is.
std::string RunsPanel::said_below() const {
    const ListedRun* run = selected();
    if (!built_.runs) return "reading…";
    if (reads_any()) return "reading a run…";
    if (run != nullptr && !run->trouble.empty()) return run->trouble;
    if (rows_.size() < built_.runs->size()) return fmt::format("{} of {} runs", rows_.size(), built_.runs->size());
    return fmt::format("{}. Of runs without a star, a name or Ctrl + S the last {} stay.", counted(rows_.size(), "run"),
                       kMostAutosaved);
}

// What would stand here, and how it comes. True if the present run is to be saved.
bool RunsPanel::draw_empty(const Ui& ui, float height) const {
    ImGui::BeginChild("none", {0.0F, height});
    ImGui::Dummy({0.0F, ui.px(20)});
    const bool none = built_.runs->empty();
    if (none) heading_text(ui, "No run is saved in this folder yet");
    ImGui::PushTextWrapPos(std::min(ui.px(660), ImGui::GetContentRegionAvail().x));
    ImGui::TextUnformatted(
        none
            ? "Each saved run has a line here: its scores, how many seeds emerged, and how its settings differ "
              "from the others'. Resume it, draw its curves beside the present run's, or compare them.\n\n"
              "Every run is saved by itself, as often as the preferences say. Runs of the command line are where its --out says: type that "
              "folder above."
            : "No run has all these words in its name, experiment or settings.");
    ImGui::PopTextWrapPos();
    log_item(ui, "runs empty");
    ImGui::Dummy({0.0F, ui.px(8)});
    const bool save =
        none && draw_button(ui, "runs save first", "Save the present run", {ui.px(220), 0.0F}, "Ctrl + S", true);
    ImGui::EndChild();
    return save;
}

void RunsPanel::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    rebuild();
    const SheetWindow sheet(ui, "runs", 1260, 620, std::exchange(raise_, false));
    const bool leave = sheet.draw_heading(ui, "Runs", "runs", "");
    draw_top(ui);
    const std::string said = said_below();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float lines = ImGui::CalcTextSize(said.c_str(), nullptr, false, room.x).y;
    const float below = ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().ItemSpacing.y + std::min(lines, room.y / 2);
    const bool empty = built_.runs && rows_.empty();
    if (empty && draw_empty(ui, room.y - below)) context.asks(Action::save_run);
    if (!empty) draw_table(context, room.y - below);
    draw_actions(context);
    ImGui::PushTextWrapPos(0.0F);
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.muted);
    wrapped_text(said);
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    log_item(ui, "runs said");
    if (leave) close();
}

}  // namespace emergence
