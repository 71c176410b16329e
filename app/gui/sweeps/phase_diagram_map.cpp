// Draws progress, picture and the pointed cell. phase_diagram_controls.cpp draws the left side.
#include "app/gui/sweeps/phase_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/shell/clock.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/text.h"
#include "core/lab/sweeps/sweep.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

std::string label_of(const FieldInfo& field) { return field.label.empty() ? field.name : field.label; }

}  // namespace

std::string PhaseDiagram::cell_name(const SweepCell& cell) const {
    const Sweep& sweep = sweep_->sweep;
    std::string name;
    for (size_t i = 0; i < sweep.axes.size(); ++i) {
        const FieldInfo& field = sweep.settings.info(sweep.axes[i].field);
        name += fmt::format("{}{} {}", i == 0 ? "" : ", ", label_of(field),
                            value_in_words(field, sweep.axes[i].values[static_cast<size_t>(cell[i])]));
    }
    return name;
}

// Describes the cells' trainings, so nobody has to guess what was computed.
std::string PhaseDiagram::trains_text() const {
    const Sweep& sweep = sweep_->sweep;
    std::string text = fmt::format("A cell: {} of {}", counted(sweep.seeds, "network"), sweep.experiment->name);
    const auto is_axis = [&](const std::string& name) { return sweep.axis(name) != nullptr; };
    std::string others;
    bool varies = false;
    for (const FieldInfo& field : sweep.settings.fields()) {
        const bool stop =
            offer_.target_step > 0 && ends_run(field, sweep.settings, offer_.step_unit, offer_.target_step);
        varies = varies || (stop && is_axis(field.name));
        if (stop || is_axis(field.name) || sweep.settings.value(field.name) == field.default_value) continue;
        others += fmt::format("{}{} {}", others.empty() ? "" : ", ", label_of(field),
                              value_in_words(field, sweep.settings.value(field.name)));
    }
    if (varies)
        text += ", trained as long as the axis says";
    else if (offer_.target_step > 0)
        text += fmt::format(", {} {} each", offer_.target_step, offer_.step_unit);
    return text + (others.empty() ? "; all else as by default." : "; " + others + "; all else as by default.");
}

void PhaseDiagram::draw_progress(const Ui& ui, int known, int total) {
    const GridProgress& progress = *news_.progress;
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui.colors.accent);
    ImGui::ProgressBar(static_cast<float>(progress.share), {-1.0F, ui.px(32)},
                       fmt::format("{} of {} cells", known, total).c_str());
    ImGui::PopStyleColor();
    log_item(ui, "phase progress");
    std::string text = fmt::format("{:.1f} % of what was missing, {} so far", 100.0 * progress.share,
                                   clock_text(seconds_now() - started_at_));
    text += std::isfinite(progress.seconds_left) ? fmt::format(", about {} left", clock_text(progress.seconds_left))
                                                 : ", the first cells are being trained";
    if (progress.failed > 0) text += fmt::format("; {} failed", progress.failed);
    small_text(ui, ui.colors.muted, text);
    log_item(ui, "phase time");
}

void PhaseDiagram::draw_state(const Context& context) {
    const Ui& ui = context.ui;
    const bool running = worker_.running();
    const int total = sweep_ ? sweep_->sweep.cells() : 0;
    const int known = sweep_ && news_.scores ? count_whole(sweep_->sweep, *news_.scores) : 0;
    const bool complete = known >= total && total > 0;
    const std::string label = running                       ? "Stop"
                              : shows_shipped() && complete ? "Compute anew"
                              : known == 0                  ? "Compute"
                              : !complete                   ? "Go on"
                                                            : "Complete";
    const bool enabled = running || (sweep_ && !draft_.score.empty() && (!complete || shows_shipped()));
    if (draw_button(ui, "phase start", label, {ui.px(138), ui.px(32)},
                    running ? "Finished cells are saved. The sweep can be resumed, here or on the command line"
                            : "Coarse cells first. What is there already is not computed again, but for what ships "
                              "with Emergence.",
                    true, enabled)) {
        if (running)
            worker_.stop();
        else
            start(context.session);
    }
    ImGui::SameLine(0.0F, ui.px(8));
    if (news_.progress) {
        draw_progress(ui, known, total);
    } else if (total > 0) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled(
            "%s", fmt::format("{} of {} cells{}", known, total, shows_shipped() ? ", as shipped" : "").c_str());
    }
    if (!problem_.empty()) small_text(ui, ui.colors.bad, problem_);
    if (!news_.trouble.empty()) small_text(ui, ui.colors.bad, news_.trouble);
    draw_places(ui);
}

void PhaseDiagram::draw_places(const Ui& ui) {
    if (folder_.empty()) return;
    const bool is_there = worker_.running() || (news_.scores && !news_.scores->empty());
    const std::string kept = (is_there ? "Saved in " : "Will be saved in ") + folder_.string();
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", elided(ui.fonts.small, kept, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopFont();
    const std::string command = shell_command({"resume", path_argument(folder_.string())});
    note_item(ui, "phase folder",
              kept + (is_there ? "\nIn a terminal it is resumed by: " + command : "") + "\nClick to copy the path.");
    if (ImGui::IsItemClicked()) ImGui::SetClipboardText(folder_.c_str());
}

// The cell's mean with its spread, and each seed's value.
std::string PhaseDiagram::reading_of(const SweepCell& cell) const {
    const Sweep& sweep = sweep_->sweep;
    const auto found = news_.scores ? news_.scores->find(cell) : SweepScores::const_iterator{};
    if (!news_.scores || found == news_.scores->end()) return "Not computed yet. A click opens its run.";
    const std::vector<double> values = values_of(found->second, sweep.score);
    const ScoreInfo score = shown_score();
    const CellMean mean = mean_of_cell(found->second, sweep.score, score.share);
    std::string text;
    if (mean.failed > 0)
        text = fmt::format("{} of {} networks failed: the picture shows no mean. Of the others: ", mean.failed,
                           values.size());
    text += fmt::format("{} {}", score.label, readout(mean.value));
    if (score.share) {
        text += fmt::format(" (95 % interval {} to {}). ", readout(mean.low), readout(mean.high));
    } else {
        std::vector<double> finite;
        for (const double value : values)
            if (std::isfinite(value)) finite.push_back(value);
        const Summary summary = summarise(finite, true);
        if (summary.count > 1)
            text += fmt::format("{} (standard error), deviation {}, median {}", plus_minus(summary, 4),
                                readout(summary.deviation), readout(summary.median));
        text += ". ";
    }
    text += values.size() >= static_cast<size_t>(sweep.seeds)
                ? "Each network:"
                : fmt::format("The first {} of {} networks:", values.size(), sweep.seeds);
    constexpr size_t kMostListed = 24;  // cells.csv has the others
    for (size_t k = 0; k < std::min(kMostListed, values.size()); ++k) text += " " + readout(values[k]);
    if (values.size() > kMostListed) text += " …";
    return text + ". A click opens its run.";
}

// The computed cell of the curve that is nearest to `x`.
std::optional<SweepCell> PhaseDiagram::nearest_cell(double x) const {
    const Sweep& sweep = sweep_->sweep;
    std::optional<SweepCell> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (int column = 0; column < sweep.columns(); ++column) {
        const SweepCell cell = shown_cell(sweep, column, 0);
        const double at = axis_number(sweep, sweep.x(), sweep.x().values[column]);
        if (!news_.scores || !news_.scores->contains(cell) || std::abs(at - x) >= least) continue;
        least = std::abs(at - x);
        nearest = cell;
    }
    return nearest;
}

// Returns the cell that was clicked.
std::optional<SweepCell> PhaseDiagram::draw_picture(const Ui& ui, ImVec2 size) {
    pointed_.reset();
    if (!sweep_ || figure_.cells.empty()) return std::nullopt;
    bool clicked = false;
    if (const auto* map = std::get_if<HeatmapSpec>(&figure_.cells[0].content)) {
        HeatmapContext context;
        context.reads = false;
        const HeatmapResponse response = draw_heatmap(ui, *map, map_state_, size, context);
        if (response.hovered) pointed_ = shown_cell(sweep_->sweep, response.hovered->column, response.hovered->row);
        clicked = response.clicked.has_value();
    } else if (const auto* plot = std::get_if<PlotSpec>(&figure_.cells[0].content)) {
        plot_state_.prepare(*plot);
        const PlotResponse response = draw_plot(ui, *plot, plot_state_, size);
        if (response.reading) pointed_ = nearest_cell(response.reading->x);
        if (pointed_) {
            clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 9.0F;
        }
    }
    return clicked ? pointed_ : std::nullopt;
}

void PhaseDiagram::draw(const Context& context) {
    take_news();
    if (!open_ || draft_.experiment == nullptr) return;
    const auto& [ui, session, asks] = context;
    drawn_at_ = seconds_now();
    const SheetWindow sheet(ui, "phase diagram", 1160, 680, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, "Sweep", "phase", draft_.experiment->title, "Esc; computing goes on")) close();

    ImGui::BeginChild("controls", {ui.px(360), 0.0F});
    ImGui::BeginDisabled(worker_.running());
    draw_source(ui, session);
    if (sweep_ && !sweep_->sweep.description.empty()) small_text(ui, ui.colors.text, greek(sweep_->sweep.description));
    draw_score(ui);
    draw_axes(ui);
    draw_seeds(ui);
    ImGui::EndDisabled();
    if (sweep_) {
        small_text(ui, ui.colors.muted, greek(trains_text()));
        log_item(ui, "phase trains");
    }
    ImGui::Dummy({0.0F, ui.px(4)});
    draw_state(context);
    ImGui::EndChild();

    ImGui::SameLine(0.0F, ui.px(16));
    ImGui::BeginGroup();
    const std::optional<SweepCell> read = pointed_;  // as of the last frame
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float below = ui.fonts.bold->FontSize + 3.5F * ui.fonts.small->FontSize + ui.px(8);
    const std::optional<SweepCell> clicked = draw_picture(ui, {room.x, room.y - below});
    // The reading has a place of its own, where it covers no cell.
    if (read && sweep_) {
        ImGui::BeginGroup();
        heading_text(ui, greek(cell_name(*read)));
        small_text(ui, ui.colors.text, greek(reading_of(*read)));
        ImGui::EndGroup();
        log_item(ui, "phase reading");
    }
    ImGui::EndGroup();
    if (!clicked) return;
    asks(ask::OpenCell{sweep_->sweep.experiment, settings_of(sweep_->sweep, *clicked), cell_name(*clicked)});
    close();
}

}  // namespace emergence
