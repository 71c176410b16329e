#include "app/gui/runs/comparison_panel.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/figures/figures.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunA = "run A";
constexpr const char* kRunB = "run B";

}  // namespace

void ComparisonPanel::open(const Session& session) {
    show();
    b_.clear();
    const std::vector<Candidate> all = candidates(session);
    if (all.size() > 1) b_ = session.other() != nullptr ? kRunB : all.back().key;
    computed_.clear();
}

void ComparisonPanel::open_with(std::shared_ptr<const OverlaidRun> run) {
    show();
    b_ = run->folder.string();
    extra_ = std::move(run);
    computed_.clear();
}

std::vector<ComparisonPanel::Candidate> ComparisonPanel::candidates(const Session& session) const {
    std::vector<Candidate> all;
    if (session.snapshot()) all.push_back({kRunA, kRunA, session.snapshot(), &session.history()});
    if (session.other() != nullptr && session.other()->shown())
        all.push_back({kRunB, kRunB, session.other()->shown(), &session.other()->history()});
    const size_t own = all.size();
    std::vector<fs::path> folders;
    const auto add = [&](const OverlaidRun& run) {
        if (contains(folders, run.folder)) return;
        folders.push_back(run.folder);
        all.push_back({run.folder.string(), "", run.snapshot, &run.history});
    };
    for (const auto& run : session.overlays()) add(*run);
    if (extra_) add(*extra_);
    const std::vector<std::string> names = names_apart(folders);
    for (size_t i = 0; i < names.size(); ++i) all[own + i].name = names[i];
    return all;
}

// Uses the present moments. A run that trains on is compared again only on request.
void ComparisonPanel::compute(const std::vector<Candidate>& all) {
    computed_ = b_;
    result_.reset();
    problem_.clear();
    std::vector<FinishedRun> runs;
    for (const Candidate& one : all)
        if (one.key == kRunA || one.key == b_) runs.push_back({one.name, *one.moment, *one.history});
    if (runs.size() < 2) return;
    computing_.cancel();
    computing_ = jobs_.post(
        Lane::scores,
        [runs = std::move(runs)](const Jobs::Task&) {
            auto result = std::make_shared<Result>();
            result->pair = {runs[0].label, runs[1].label, differences_of(runs[0], runs[1])};
            result->differing = differing_settings(runs);
            result->runs = runs;
            return std::shared_ptr<const Result>(std::move(result));
        },
        [this](std::shared_ptr<const Result> result) {
            if (result->pair.differences.empty())
                problem_ = fmt::format("These runs {}.", why_not_compared(result->runs[0], result->runs[1]));
            else
                result_ = std::move(result);
        });
}

void ComparisonPanel::draw_row(const Ui& ui, const ScoreDifference& one, int index) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const MetricTable& table = result_->runs.front().history.table();
    const auto metric = find_if(table, [&](const MetricInfo& info) { return info.name == one.score; });
    ImGui::TextUnformatted(one.score.c_str());
    note_item(ui, fmt::format("comparison row {}", index), metric != table.end() ? metric->help : "");
    const auto cell = [](const std::string& text) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(text.c_str());
    };
    cell(readout(one.mean_a));
    cell(readout(one.mean_b));
    // Differences whose interval excludes zero are highlighted.
    const bool clear = one.low > 0.0 || one.high < 0.0;
    ImGui::PushStyleColor(ImGuiCol_Text, clear ? ui.colors.accent : ui.colors.muted);
    cell(readout(one.difference));
    cell(fmt::format("{} to {}", readout(one.low), readout(one.high)));
    ImGui::PopStyleColor();
    cell(fmt::format("{:.2g}", one.p));
    cell(one.paired ? fmt::format("{} pairs", one.n_a) : fmt::format("{}, {}", one.n_a, one.n_b));
}

void ComparisonPanel::draw_table(const Ui& ui, float height) {
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                       ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_Resizable |
                                       ImGuiTableFlags_BordersInnerV;
    if (!ImGui::BeginTable("differences", 7, kFlags, {0.0F, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("score", ImGuiTableColumnFlags_WidthStretch);
    const std::pair<const char*, float> kColumns[] = {{"A", 66},     {"B", 66}, {"B - A", 70},
                                                      {"95 %", 142}, {"p", 52}, {"n", 62}};
    for (const auto& [name, width] : kColumns)
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, ui.px(width));
    ImGui::TableHeadersRow();
    const std::vector<ScoreDifference>& all = result_->pair.differences;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(all.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(ui, all[i], i);
    ImGui::EndTable();
}

void ComparisonPanel::draw_runs(const Ui& ui, const std::vector<Candidate>& all) {
    draw_caption(ui, "B");
    const auto chosen = find_if(all, [&](const Candidate& one) { return one.key == b_; });
    if (begin_choices(ui, "comparison to", chosen == all.end() ? "choose a run" : chosen->name, ui.px(230))) {
        for (const Candidate& one : all)
            if (one.key != kRunA && draw_choice(ui, "comparison to " + one.name, one.name, one.key == b_)) b_ = one.key;
        ImGui::EndCombo();
    }
    ImGui::SameLine(0.0F, ui.px(16));
    if (draw_button(ui, "comparison update", "Update", {}, "Compares the runs as they are now", false,
                    all.size() > 1 && !computing_.active()))
        compute(all);
    if (!problem_.empty()) small_text(ui, ui.colors.bad, problem_);
    if (computing_.active()) small_text(ui, ui.colors.muted, "comparing…");
}

void ComparisonPanel::draw_result(const Ui& ui) {
    std::string said = fmt::format("{}: {} {}. {}: {} {}. ", result_->pair.a, result_->runs[0].snapshot.step,
                                   result_->runs[0].snapshot.step_unit, result_->pair.b, result_->runs[1].snapshot.step,
                                   result_->runs[1].snapshot.step_unit);
    said += result_->differing.empty() ? "All settings are the same."
                                       : "They differ in " + listed(result_->differing, std::identity(), "; ");
    small_text(ui, ui.colors.text, said);
    if (result_->runs[0].snapshot.step != result_->runs[1].snapshot.step)
        small_text(ui, ui.colors.warning, "The runs have not trained equally long. Update compares them again.");
    const float below = 2 * ImGui::GetStyle().ItemSpacing.y + 3 * ui.fonts.small->FontSize;
    draw_table(ui, ImGui::GetContentRegionAvail().y - below);
    small_text(
        ui, ui.colors.muted,
        "The 95 % intervals are bootstrap intervals, or Newcombe's for shares. p comes from a permutation test, and is "
        "not corrected for the number of scores. emergence-cli compare also draws the curves of both runs.");
}

// Explains what this sheet will show, and how to get a second run.
void ComparisonPanel::draw_empty(const Context& context) {
    const Ui& ui = context.ui;
    ImGui::Dummy({0.0F, ui.px(20)});
    heading_text(ui, "There is only one run");
    ImGui::PushTextWrapPos(ui.px(620));
    wrapped_text(
        "With a second run this sheet shows a table of all scores: A, B, the difference with its 95 % "
        "interval, a permutation test and n.");
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0.0F, ui.px(8)});
    const ImVec2 size(ui.px(220), 0.0F);
    if (draw_button(ui, "comparison start", "Start run B", size,
                    "The same seeds and random numbers, one setting different  (B)", true))
        context.asks(Action::compare);
    ImGui::SameLine(0.0F, ui.px(12));
    if (draw_button(ui, "comparison choose", "Choose a saved run", size,
                    "Opens Runs: choose one there and press Compare  (Ctrl + O)"))
        context.asks(Action::open_runs);
    log_item(ui, "comparison empty");
}

void ComparisonPanel::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    const std::vector<Candidate> all = candidates(context.session);
    // The second run was opened while the sheet was open.
    if (b_.empty() && all.size() > 1) b_ = all.back().key;
    if (b_ != computed_) compute(all);
    const SheetWindow sheet(ui, "comparison", 720, 700, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, "Differences", "comparison", "B minus A, over the seeds")) close();
    if (all.size() < 2) {
        draw_empty(context);
        return;
    }
    draw_runs(ui, all);
    if (result_) draw_result(ui);
}

}  // namespace emergence
