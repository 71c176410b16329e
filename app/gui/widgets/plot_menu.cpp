#include "app/gui/widgets/plot_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <string_view>
#include <vector>

#include "app/gui/widgets/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

bool item(const Ui& ui, const std::string& label, bool checked = false, bool enabled = true) {
    const bool chosen = ImGui::MenuItem(label.c_str(), nullptr, checked, enabled);
    log_item(ui, ("menu " + label).c_str());
    return chosen;
}

// A scale that is the plot's own needs no remembering.
void toggle_logarithmic(std::optional<Scale>& chosen, Scale shown, Scale own) {
    const Scale next = shown == Scale::linear ? Scale::logarithmic : Scale::linear;
    chosen = next == own ? std::nullopt : std::optional(next);
}

void draw_scales(const Ui& ui, const PlotSpec& own, const PlotSpec& shown, PlotView& view) {
    const bool log_x = shown.x.scale == Scale::logarithmic;
    if (view.histogram) {
        if (item(ui, "Logarithmic x", log_x)) toggle_logarithmic(view.y_scale, shown.x.scale, own.y.scale);
        return;
    }
    if (item(ui, "Logarithmic x", log_x)) toggle_logarithmic(view.x_scale, shown.x.scale, own.x.scale);
    const bool log_y = shown.y.scale == Scale::logarithmic;
    if (item(ui, "Logarithmic y", log_y)) toggle_logarithmic(view.y_scale, shown.y.scale, own.y.scale);
}

void draw_spreads(const Ui& ui, PlotView& view) {
    if (!ImGui::BeginMenu("Seeds as")) return;
    if (item(ui, "As all plots", !view.spread && !view.histogram)) {
        view.spread.reset();
        view.histogram = false;
    }
    const char* const names[] = {"Mean ± standard error", "Mean ± standard deviation", "Median, 25–75 %", "Every seed"};
    for (int i = 0; i < 4; ++i) {
        const auto spread = static_cast<Spread>(i);
        if (!item(ui, names[i], !view.histogram && view.spread == spread)) continue;
        view.spread = spread;
        view.histogram = false;
    }
    if (item(ui, "Histogram", view.histogram)) view.histogram = true;
    ImGui::EndMenu();
}

// Both ends of an axis; true where one was typed.
bool draw_ends(const Ui& ui, const char* axis, double& low, double& high) {
    bool typed = false;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(axis);
    for (double* end : {&low, &high}) {
        ImGui::SameLine(end == &low ? ui.px(30) : 0.0F, end == &low ? -1.0F : ui.px(6));
        ImGui::PushID(end);
        ImGui::SetNextItemWidth(ui.px(90));
        ImGui::InputDouble("##end", end, 0.0, 0.0, "%.6g");
        typed = ImGui::IsItemDeactivatedAfterEdit() || typed;
        log_item(ui, fmt::format("menu {} {}", axis, end == &low ? "from" : "to").c_str());
        ImGui::PopID();
    }
    return typed;
}

void draw_limits(const Ui& ui, PlotMenu& menu, const PlotSpec& shown, ViewRanges& ranges) {
    if (!ImGui::BeginMenu("Limits")) return;
    const auto apply = [&](const char* axis, double low, double high, Scale scale, std::optional<AxisRange>& range) {
        menu.refusal.clear();
        if (is_valid({low, high}, scale))
            range = {low, high};
        else
            menu.refusal = fmt::format("{} from {} to {}: the minimum must be below the maximum{}", axis, readout(low),
                                       readout(high), scale == Scale::logarithmic ? " and be above 0" : "");
    };
    auto& [x_low, x_high, y_low, y_high] = menu.limits;
    if (draw_ends(ui, "x", x_low, x_high)) apply("x", x_low, x_high, shown.x.scale, ranges.x);
    if (draw_ends(ui, "y", y_low, y_high)) apply("y", y_low, y_high, shown.y.scale, ranges.y);
    if (!menu.refusal.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::TextUnformatted(menu.refusal.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::EndMenu();
}

void draw_smoothing(const Ui& ui, const PlotSpec& own, PlotView& view) {
    if (!ImGui::BeginMenu("Smoothing")) return;
    if (item(ui, "As all plots", !view.smoothing)) view.smoothing.reset();
    auto weight = static_cast<float>(view.smoothing.value_or(own.smoothing));
    ImGui::SetNextItemWidth(ui.px(160));
    if (ImGui::SliderFloat("##weight", &weight, 0.0F, 0.99F, "%.2f", ImGuiSliderFlags_AlwaysClamp))
        view.smoothing = static_cast<double>(weight);
    log_item(ui, "menu smoothing weight");
    ImGui::EndMenu();
}

void draw_series_list(const Ui& ui, const PlotSpec& shown, PlotView& view) {
    if (!ImGui::BeginMenu("Series")) return;
    for (const Series& series : shown.series) {
        if (series.name.empty() || !item(ui, greek(series.name), !series.hidden)) continue;
        if (view.hidden.erase(series.name) == 0) view.hidden.insert(series.name);
    }
    if (item(ui, "Show all", false, !view.hidden.empty())) view.hidden.clear();
    ImGui::EndMenu();
}

void draw_copies(const Ui& ui, const PlotMenu& menu, const PlotSpec& shown, const std::vector<SeriesShape>& shapes) {
    if (item(ui, "Copy the values here", false, !menu.values.empty())) {
        std::string values = menu.values;  // other programs read hyphens
        constexpr std::string_view kMinus = "−";
        for (size_t at = 0; (at = values.find(kMinus)) != std::string::npos;) values.replace(at, kMinus.size(), "-");
        ImGui::SetClipboardText(values.c_str());
    }
    if (item(ui, "Copy the data as CSV")) ImGui::SetClipboardText(plot_csv(shown, shapes).c_str());
}

}  // namespace

void open_plot_menu(PlotMenu& menu, const PlotSpec& shown) {
    menu.limits = {*shown.x.minimum, *shown.x.maximum, *shown.y.minimum, *shown.y.maximum};
    menu.refusal.clear();
    ImGui::OpenPopup("plot menu");
}

void draw_plot_menu(const Ui& ui, PlotMenu& menu, const PlotSpec& own, const PlotSpec& shown,
                    const std::vector<SeriesShape>& shapes, PlotView& view) {
    if (!ImGui::BeginPopup("plot menu")) return;
    if (item(ui, "Fit to the data", false, !view.ranges().fitted())) view.ranges() = {};
    ImGui::Separator();
    draw_scales(ui, own, shown, view);
    draw_limits(ui, menu, shown, view.ranges());
    ImGui::Separator();
    draw_spreads(ui, view);
    draw_smoothing(ui, own, view);
    draw_series_list(ui, shown, view);
    if (item(ui, "Markers", view.markers)) view.markers = !view.markers;
    ImGui::Separator();
    draw_copies(ui, menu, shown, shapes);
    ImGui::EndPopup();
}

}  // namespace emergence
