// Draws the table of runs.
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

double score_of(const ListedRun& run, const std::string& name) {
    const auto found = run.scores.find(name);
    return found == run.scores.end() ? std::nan("") : found->second.mean;
}

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
    // The typed folder is empty, so the list stays.
}

void RunsPanel::draw_top(const Ui& ui) {
    draw_caption(ui, "Folder");
    draw_text_field(ui, "runs folder", "", folder_, ui.px(430),
                    "Its runs and those in the folders in it are listed, and followed while they are written.");
    if (ImGui::IsItemDeactivatedAfterEdit()) look_in_typed_folder();
    ImGui::SameLine(0.0F, ui.px(12));
    draw_text_field(ui, "runs search", "search", wanted_.search, ui.px(200));
    ImGui::SameLine(0.0F, ui.px(12));
    draw_caption(ui, "Scores");
    int index = 0;
    for (std::string& chosen : wanted_.scores) {
        if (index > 0) ImGui::SameLine();
        if (!begin_choices(ui, fmt::format("runs score {}", index++), greek(score_label(chosen)), ui.px(120),
                           score_label(chosen) + ": the metric's last value, mean over seeds with its standard error, "
                                                 "of shares with Wilson's 95 % interval"))
            continue;
        for (const auto& [name, label] : score_labels_)
            if (draw_choice(ui, "runs score " + name, greek(score_label(name)), name == chosen, "In files: " + name))
                chosen = name;
        ImGui::EndCombo();
    }
}

std::vector<RunsPanel::Column> RunsPanel::columns() const {
    using Key = std::pair<double, std::string>;
    constexpr ImGuiTableColumnFlags kDown = ImGuiTableColumnFlags_PreferSortDescending;
    constexpr ImGuiTableColumnFlags kRigid = ImGuiTableColumnFlags_NoResize, kFirst = ImGuiTableColumnFlags_DefaultSort;
    std::vector<Column> all = {
        {"##overlay", 26, ImGuiTableColumnFlags_NoSort | kRigid, [](const Row&) { return Key(); }},
        {"★", 26, kDown | kRigid, [](const Row& row) { return Key(row.mark.starred ? 1 : 0, ""); }},
        {"name", 200, 0, [](const Row& row) { return Key(0, row.name()); }},
        {"experiment", 110, 0, [](const Row& row) { return Key(0, row.run->experiment); },
         [](const Row& row) { return row.run->experiment; }},
        {"saved", 92, kFirst | kDown,
         [](const Row& row) { return Key(static_cast<double>(row.run->saved_at.time_since_epoch().count()), ""); },
         [](const Row& row) { return local_time(row.run->saved_at, "%m-%d %H:%M"); }},
        {"step", 64, kDown, [](const Row& row) { return Key(static_cast<double>(row.run->step), ""); },
         [](const Row& row) { return std::to_string(row.run->step); }},
        {"seeds", 62, 0, [](const Row& row) { return Key(row.run->seeds, ""); },
         [](const Row& row) { return std::to_string(row.run->seeds); }},
        {"emerged", 76, kDown,
         [](const Row& row) {
             const auto& [run, mark, differs] = row;
             return Key(run->emerged && run->seeds > 0 ? static_cast<double>(*run->emerged) / run->seeds : kMissing,
                        "");
         },
         [](const Row& row) {
             return row.run->emerged ? fmt::format("{} of {}", *row.run->emerged, row.run->seeds) : "";
         }}};
    for (const std::string& name : built_.scores)
        all.push_back({greek(score_label(name)), 134, kDown,
                       [name](const Row& row) { return Key(score_of(*row.run, name), ""); },
                       [name](const Row& row) { return score_text(*row.run, name); }});
    all.push_back({"settings that differ", 0, 0, [](const Row& row) { return Key(0, row.differs); }});
    return all;
}

void RunsPanel::draw_headers(const Ui& ui, const std::vector<Column>& columns) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
        if (!ImGui::TableSetColumnIndex(column)) continue;
        ImGui::PushID(column);
        const std::string& title = columns[column].title;
        ImGui::TableHeader(title.empty() ? "##none" : title.c_str());
        ImGui::PopID();
        log_item(ui, fmt::format("runs column {}", column));
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
    note_item(ui, fmt::format("runs star {}", index),
              row.mark.starred ? "Take the star away" : "Star this run: it is never removed to make room");
}

// The chosen run's name. Its folder keeps its own name.
void RunsPanel::draw_name_field(const Ui& ui) {
    const Row* row = selected_row();
    if (row != nullptr && row->run->folder != std::exchange(named_, row->run->folder)) name_ = row->mark.name;
    ImGui::BeginDisabled(row == nullptr);
    draw_text_field(ui, "runs name", "name of the chosen run", name_,
                    std::max(ui.px(60), ImGui::GetContentRegionAvail().x),
                    "Names the chosen run in this list. Its folder keeps its own name.");
    if (ImGui::IsItemDeactivatedAfterEdit() && row != nullptr) mark(*row->run, {name_, row->mark.starred});
    ImGui::EndDisabled();
}

void RunsPanel::draw_row(const Context& context, const std::vector<Column>& columns, const Row& row, int index) {
    const auto& [ui, session, asks] = context;
    const ListedRun& run = *row.run;
    ImGui::PushID(run.folder.c_str());
    ImGui::TableNextRow();
    if (ImGui::TableSetColumnIndex(kOverlay)) {
        bool on = is_overlaid(session, run.folder);
        ImGui::BeginDisabled(!run.has_checkpoint || !run.settings);
        if (draw_check(ui, fmt::format("runs overlay {}", index), "##overlay", on,
                       "Draws its curves beside those of the present run: dashed; with several runs each has "
                       "a colour and each quantity a line style."))
            toggle_overlay(run.folder, context);
        ImGui::EndDisabled();
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
    const auto count = static_cast<int>(columns.size());
    for (int column = 0; column < count; ++column)
        if (const auto& text = columns[column].text; text && ImGui::TableSetColumnIndex(column))
            ImGui::TextUnformatted(text(row).c_str());
    if (ImGui::TableSetColumnIndex(count - 1)) {
        if (run.settings)
            ImGui::TextUnformatted(greek(row.differs).c_str());
        else
            ImGui::TextDisabled("%s", elided(ImGui::GetFont(), run.trouble, ImGui::GetContentRegionAvail().x).c_str());
    }
    ImGui::PopID();
}

void RunsPanel::draw_table(const Context& context, float height) {
    constexpr ImGuiTableFlags kTable = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                       ImGuiTableFlags_Resizable | ImGuiTableFlags_NoSavedSettings |
                                       ImGuiTableFlags_BordersInnerV;
    const std::vector<Column> all = columns();
    pointer_over_ = false;
    if (!ImGui::BeginTable("runs", static_cast<int>(all.size()), kTable, {0.0F, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const Column& one : all)
        ImGui::TableSetupColumn(
            "", one.flags | (one.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch),
            context.ui.px(one.width));
    draw_headers(context.ui, all);
    pointer_over_ = ImGui::IsWindowHovered();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(context, all, rows_[i], i);
    ImGui::EndTable();
}

void RunsPanel::resume(const ListedRun& run, bool train, Asks& asks) {
    asks(ask::OpenRun{run.folder, run.has_checkpoint, train});
    close();
}

void RunsPanel::draw_actions(const Context& context) {
    const Ui& ui = context.ui;
    Asks& asks = context.asks;
    const ListedRun* run = selected();
    const ImVec2 size(ui.px(120), 0.0F);
    const bool readable = run != nullptr && run->settings, whole = readable && run->has_checkpoint;
    const auto button = [&](const char* id, const char* label, const char* help, bool enabled, bool strong = false) {
        const bool pressed = draw_button(ui, id, label, size, help, strong, enabled);
        ImGui::SameLine();
        return pressed;
    };
    if (button("runs go on", "Resume", "Resumes it in place of the present run", readable, true))
        resume(*run, true, asks);
    if (button("runs look", "Look at it", "The same, paused  (double click)", readable)) resume(*run, false, asks);
    if (button("runs compare", "Compare",
               "Differences between this run and the present one: every score, with intervals and tests", whole))
        start_reading(run->folder, made_of<ask::Compare>, asks);
    if (button("runs clear", "None beside", "No other run is drawn in the curves any more",
               !context.session.overlays().empty()))
        asks(ask::Overlay{});
    if (button("runs save", "Save this run", "Saves the present run in a folder  (Ctrl + S)", true))
        asks(Action::save_run);
    draw_name_field(ui);
}

// One line about the list, or the full reason why the chosen run cannot be read.
std::string RunsPanel::said_below() const {
    const ListedRun* run = selected();
    if (!built_.runs) return "reading…";
    if (reads_any()) return "reading a run…";
    if (run != nullptr && !run->trouble.empty()) return run->trouble;
    if (rows_.size() < built_.runs->size()) return fmt::format("{} of {} runs", rows_.size(), built_.runs->size());
    return fmt::format("{}. The last {} stay, and all that you star, name or save with Ctrl + S.",
                       counted(rows_.size(), "run"), kMostAutosaved);
}

// Explains what will be listed here and how runs get here.
void RunsPanel::draw_empty(const Ui& ui, float height) const {
    ImGui::BeginChild("none", {0.0F, height});
    ImGui::Dummy({0.0F, ui.px(20)});
    const bool none = built_.runs->empty();
    if (none) heading_text(ui, "No run is saved in this folder yet");
    ImGui::PushTextWrapPos(std::min(ui.px(660), ImGui::GetContentRegionAvail().x));
    ImGui::TextUnformatted(
        none ? "Each saved run has a line here: its scores, how many seeds emerged, and how its settings differ "
               "from the others'. Resume it, draw its curves beside the present run's, or compare them.\n\n"
               "Every run is saved by itself, as often as the preferences say. Runs of the command line are in the "
               "folder of its --out. Type that folder above."
             : "No run has all these words in its name, experiment or settings.");
    ImGui::PopTextWrapPos();
    log_item(ui, "runs empty");
    ImGui::EndChild();
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
    if (built_.runs && rows_.empty())
        draw_empty(ui, room.y - below);
    else
        draw_table(context, room.y - below);
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
