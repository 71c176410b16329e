// The right half of the export panel: formats, folder and name, the progress and the report.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "app/gui/exports/export_panel.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kExportLabel = 64.0F;

const char* format_help(FileFormat format) {
    switch (format) {
        case FileFormat::pdf:
            return "For papers: vector graphics, text stays text, settings inside";
        case FileFormat::svg:
            return "For web pages and drawing programs: vector graphics, text stays text, settings inside";
        case FileFormat::png:
            return "For slides and chats: pixels, settings inside";
        case FileFormat::csv:
            return "The numbers of the picture, one a line, in full precision";
        case FileFormat::npz:
            return "The same numbers as NumPy arrays, settings inside";
    }
    return "";
}

}  // namespace

void ExportPanel::draw_formats(const Ui& ui) {
    for (const FileFormat format : writable_formats()) {
        if (format != writable_formats().front()) ImGui::SameLine(0.0F, ui.px(14));
        const std::string name = capital_letters(file_extension(format));
        if (draw_check(ui, "export " + name, name.c_str(), choices_.formats[static_cast<size_t>(format)],
                       format_help(format)))
            report_.reset();
    }
}

// The command line has the same as --width, --dpi and --no-caption.
void ExportPanel::draw_page(const Ui& ui) {
    constexpr double kWidths[] = {0.0, 3.4, 7.0};
    constexpr int kDots[] = {150, 300, 600};
    PageFormat& page = choices_.page;
    const PageFormat before = page;
    draw_caption(ui, "Page", kExportLabel);
    constexpr int kSlide = static_cast<int>(std::size(kWidths));
    const auto index_of = [](const auto& all, auto value) {
        return static_cast<int>(std::find(std::begin(all), std::end(all) - 1, value) - std::begin(all));
    };
    int width = page.slide ? kSlide : index_of(kWidths, page.width_inches);
    if (draw_segments(ui, "export width", {"as drawn", "3.4 in", "7 in", "slide"}, width)) {
        page.slide = width == kSlide;
        page.width_inches = page.slide ? 0.0 : kWidths[width];
    }
    explain_item(ui, "Width on paper: one column, a whole page, or a slide. The size of the text fits it.");
    ImGui::SameLine(0.0F, ui.px(12));
    int dots = index_of(kDots, page.dots_per_inch);
    if (draw_segments(ui, "export dots", {"150", "300", "600 dpi"}, dots)) page.dots_per_inch = kDots[dots];
    explain_item(ui, "Dots per inch of PNG");
    ImGui::SameLine(0.0F, ui.px(12));
    draw_check(ui, "export caption", "caption", page.caption,
               "Settings, seeds and version below the figure. They are inside the file either way.");
    if (page != before) report_.reset();
}

// The full path, if a part of one was typed.
void ExportPanel::draw_full_folder(const Ui& ui) {
    try {
        const std::string full = typed_folder(choices_.folder).string();
        if (choices_.folder.find(full) != std::string::npos) return;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(kExportLabel));
        small_text(ui, ui.colors.muted, "is " + full);
        log_item(ui, "export full folder");
    } catch (const std::runtime_error&) {
        // The button says so.
    }
}

void ExportPanel::draw_options(const Ui& ui, float width) {
    draw_formats(ui);
    draw_page(ui);
    const auto field = [&](const char* text, const char* hint, std::string& value, const char* help) {
        draw_caption(ui, text, kExportLabel);
        if (!draw_text_field(ui, std::string("export ") + text, hint, value, width - ui.px(kExportLabel), help)) return;
        refusal_.clear();
        report_.reset();
    };
    field("Folder", "a folder", choices_.folder, "Made if it is missing. ~ is the home folder.");
    draw_full_folder(ui);
    field("Name", "as in the list", name_,
          "Name of the file, without its ending. With several pictures it precedes their own names.");
}

void ExportPanel::start(const Context& context, const ShownPanels& shown, const std::vector<FigureChoice>& list,
                        bool replace) {
    const Session& session = context.session;
    try {
        ExportOrder order = order_of(session, shown);
        order.folder = typed_folder(choices_.folder);
        for (const FigureChoice& choice : list)
            if (is_ticked(choice)) order.choices.push_back(choice);
        order.formats = chosen_formats(choices_);
        order.run_files = choices_.run_files;
        order.name = name_;
        order.replace = replace;
        order.threads = session.threads();
        progress_ = {};
        report_.reset();
        writing_ = jobs_.post(
            Lane::exports,
            [this, order = std::move(order)](const Jobs::Task& task) {
                return write_export(order, [&](const FileProgress& progress) {
                    task.tell([this, progress] { progress_ = progress; });
                    return !task.stopping();
                });
            },
            [this, &asks = context.asks](FileReport report) {
                report_ = std::move(report);
                tell(*report_, asks);
            });
    } catch (const std::runtime_error& error) {
        refusal_ = error.what();
    }
}

void ExportPanel::draw_buttons(const Context& context, const ShownPanels& shown,
                               const std::vector<FigureChoice>& list) {
    const Ui& ui = context.ui;
    size_t ticked = 0, of_runs = 1;  // each grid has the files of its runs, too
    for (const FigureChoice& choice : list) {
        ticked += is_ticked(choice) ? 1 : 0;
        of_runs += is_ticked(choice) && choice.kind == Kind::grid ? 1 : 0;
    }
    const size_t files =
        ticked * chosen_formats(choices_).size() + (choices_.run_files ? of_runs * run_file_names().size() : 0);
    if (files == 0) {
        small_text(ui, ui.colors.muted, ticked == 0 ? "Tick what is to be exported." : "Tick a format.");
        return;
    }
    if (writing_.active()) {
        draw_progress(ui);
        return;
    }
    const bool blocked = report_ && !report_->in_the_way.empty();
    const std::string label =
        blocked ? "Replace " + counted(report_->in_the_way.size(), "file") : "Export " + counted(files, "file");
    // A tooltip would cover the report.
    const bool answered = report_ || !refusal_.empty();
    if (draw_button(ui, "export start", label, {ui.px(170), ui.px(32)},
                    answered ? "" : "Writes this moment. Training goes on meanwhile.", true))
        start(context, shown, list, blocked);
    if (!blocked) return;
    ImGui::SameLine();
    if (draw_button(ui, "export keep", "Keep them", {ui.px(110), ui.px(32)}, "Write nothing")) report_.reset();
}

void ExportPanel::draw_progress(const Ui& ui) {
    const bool long_work = progress_.share > 0.0;
    const double share = long_work ? progress_.share
                         : progress_.total == 0
                             ? 0.0
                             : static_cast<double>(progress_.done) / static_cast<double>(progress_.total);
    const std::string left =
        long_work ? fmt::format("  {:.0f} %, {} left", 100.0 * progress_.share, clock_text(progress_.seconds_left))
                  : "";
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui.colors.accent);
    ImGui::ProgressBar(static_cast<float>(share), {-ui.px(98), ui.px(32)},
                       fmt::format("{} of {}  {}{}", progress_.done, progress_.total, progress_.name, left).c_str());
    ImGui::PopStyleColor();
    log_item(ui, "export progress");
    ImGui::SameLine(0.0F, ui.px(8));
    if (draw_button(ui, "export cancel", "Cancel", {ui.px(90), ui.px(32)},
                    "Finished files stay. An unfinished figure writes nothing."))
        writing_.stop();
}

void ExportPanel::draw_report(const Ui& ui) {
    if (!refusal_.empty()) small_text(ui, ui.colors.bad, refusal_);
    if (!report_) return;
    ImGui::BeginChild("report", {0.0F, 0.0F});
    for (const std::string& failure : report_->failures) small_text(ui, ui.colors.bad, failure);
    if (!report_->in_the_way.empty())
        small_text(ui, ui.colors.warning,
                   "These files exist, so nothing was written. Replacing keeps each until its successor is whole:");
    if (!report_->written.empty()) small_text(ui, ui.colors.good, "Saved (click to copy the path):");
    ImGui::PushFont(ui.fonts.small);
    int index = 0;
    for (const auto* paths : {&report_->in_the_way, &report_->written})
        for (const std::filesystem::path& path : *paths) {
            const std::string text = path.string();
            const std::string mark = text == copied_ ? "  (copied)" : "";
            if (ImGui::Selectable((text + mark + "##" + std::to_string(index)).c_str())) {
                ImGui::SetClipboardText(text.c_str());
                copied_ = text;
            }
            log_item(ui, fmt::format("export path {}", index++));
        }
    ImGui::PopFont();
    ImGui::EndChild();
}

}  // namespace emergence
