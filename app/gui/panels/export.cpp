#include "app/gui/panels/export.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/widget_log.h"
#include "core/base/error.h"

namespace emergence {
namespace {

using Kind = FigureChoice::Kind;

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

const char* format_help(FileFormat format) {
    switch (format) {
        case FileFormat::pdf:
            return "For papers: vector graphics, text stays text, settings inside";
        case FileFormat::svg:
            return "For web pages and drawing programs: vector graphics, text stays text, settings inside";
        case FileFormat::png:
            return "For slides and chats: 150 dots an inch, settings inside";
        case FileFormat::csv:
            return "The numbers that are drawn, one a line, in full precision";
        case FileFormat::npz:
            return "The same numbers as NumPy arrays, settings inside";
    }
    return "";
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

const FigureChoice* find_choice(const std::vector<FigureChoice>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const FigureChoice& choice) { return choice.name == name; });
    return found == list.end() ? nullptr : &*found;
}

void heading(const Ui& ui, const char* text) {
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
}

void wrapped(const Ui& ui, ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopFont();
    ImGui::PopStyleColor();
}

}  // namespace

ExportChoices default_export_choices() {
    ExportChoices choices;
    choices.folder = default_export_folder().string();
    choices.formats[static_cast<size_t>(FileFormat::pdf)] = true;
    choices.formats[static_cast<size_t>(FileFormat::png)] = true;
    return choices;
}

ExportPanel::ExportPanel(std::function<void()> on_change) : preview_(std::move(on_change)) {}

void ExportPanel::open(std::optional<Kind> kind, const std::string& name) {
    open_ = raise_ = true;
    requested_kind_ = kind;
    requested_name_ = name;
    if (!writing_) report_.reset();
    refusal_.clear();
}

// What open() asked for becomes the one tick, as soon as there is a list.
void ExportPanel::choose_requested(const std::vector<FigureChoice>& list) {
    const auto wanted = std::find_if(list.begin(), list.end(), [this](const FigureChoice& choice) {
        return requested_name_.empty() ? choice.kind == requested_kind_ : choice.name == requested_name_;
    });
    if (wanted != list.end()) {
        ticked_ = {wanted->name};
        pointed_ = wanted->name;
    }
    requested_kind_.reset();
    requested_name_.clear();
    // Nothing that takes minutes is chosen for anybody.
    const auto quick = std::find_if(list.begin(), list.end(),
                                    [](const FigureChoice& choice) { return choice.kind != Kind::grid; });
    if (!find_choice(list, pointed_) && quick != list.end()) pointed_ = quick->name;
    const bool any =
        std::any_of(list.begin(), list.end(), [this](const auto& choice) { return is_ticked(choice); });
    if (!any && find_choice(list, pointed_) && !choices_.run_files) ticked_.insert(pointed_);
}

void ExportPanel::draw_choice(const Ui& ui, const FigureChoice& choice) {
    bool ticked = is_ticked(choice);
    const std::string label = elided(
        ui.fonts.body, choice.title.empty() ? choice.name : choice.title,
        ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemInnerSpacing.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (choice.name == pointed_)
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetFrameHeight()}, ui.colors.control,
            ui.px(4));
    if (ImGui::Checkbox((label + "##" + choice.name).c_str(), &ticked)) {
        if (ticked)
            ticked_.insert(choice.name);
        else
            ticked_.erase(choice.name);
        report_.reset();
    }
    log_item(ui, ("export " + choice.name).c_str());
    if (ImGui::IsItemHovered()) pointed_ = choice.name;
    explain_item(ui, choice.title + "\n" + choice.name + ".*");
}

void ExportPanel::draw_missing(const Ui& ui) {
    for (const Missing& figure : missing_) {
        ImGui::PushTextWrapPos(0.0F);
        ImGui::TextDisabled("%s", figure.title.c_str());
        ImGui::PopTextWrapPos();
        log_item(ui, ("export missing " + figure.name).c_str());
        wrapped(ui, ui.colors.muted, "Not of this run: " + figure.reason + ".");
    }
}

// What can be drawn of the present run; missing_ says what cannot and why.
std::vector<FigureChoice> ExportPanel::drawable(const Session& session, const ShownPanels& shown) {
    const Snapshot& snapshot = *session.snapshot();
    const std::pair run(snapshot.experiment, snapshot.run_number);
    std::vector<FigureChoice> list =
        figure_choices(session.info(), shown.plots, shown.heatmaps, shown.scenes);
    if (checked_run_ != run) {
        missing_.clear();
        for (const FigureChoice& choice : list)
            if (choice.kind == Kind::figure)
                if (std::string reason =
                        why_missing(session.info().figures[choice.index], snapshot, session.history());
                    !reason.empty())
                    missing_.push_back({choice.name, choice.title, std::move(reason)});
        checked_run_ = run;
    }
    std::erase_if(list, [this](const FigureChoice& choice) {
        return std::any_of(missing_.begin(), missing_.end(),
                           [&](const Missing& figure) { return figure.name == choice.name; });
    });
    return list;
}

void ExportPanel::draw_list(const Ui& ui, const std::vector<FigureChoice>& list, ImVec2 size) {
    ImGui::BeginChild("list", size);
    const char* last = nullptr;
    if (!missing_.empty() && (list.empty() || list.front().kind != Kind::figure))
        heading(ui, last = "Figures of papers");
    if (list.empty() || list.front().kind != Kind::figure) draw_missing(ui);
    for (const FigureChoice& choice : list) {
        const char* group = choice.kind == Kind::figure   ? "Figures of papers"
                            : choice.kind == Kind::grid   ? "Figures of papers, of many runs"
                            : choice.kind == Kind::matrix ? "Single matrices"
                            : choice.kind == Kind::plot   ? "Single plots"
                            : choice.kind == Kind::scene  ? "The world, drawn"
                                                          : "This window";
        if (last == nullptr || std::string(group) != last) heading(ui, group);
        last = group;
        draw_choice(ui, choice);
        // Below the last of their group.
        const FigureChoice* next = &choice == &list.back() ? nullptr : &choice + 1;
        if (choice.kind == Kind::figure && (next == nullptr || next->kind != Kind::figure)) draw_missing(ui);
    }
    heading(ui, "The run itself");
    if (ImGui::Checkbox("settings, metrics and weights", &choices_.run_files)) report_.reset();
    log_item(ui, "export run files");
    explain_item(ui,
                 "config.toml, metrics.csv (a line a seed and logged step) and weights.npz (all seeds), as "
                 "emergence-cli run leaves them");
    ImGui::EndChild();
}

void ExportPanel::draw_formats(const Ui& ui) {
    for (const FileFormat format : kFileFormats) {
        if (format != kFileFormats.front()) ImGui::SameLine(0.0F, ui.px(14));
        const std::string name = upper(file_extension(format));
        if (ImGui::Checkbox(name.c_str(), &choices_.formats[static_cast<size_t>(format)])) report_.reset();
        log_item(ui, ("export " + name).c_str());
        explain_item(ui, format_help(format));
    }
}

// Where a folder that is not given in full is.
void ExportPanel::draw_full_folder(const Ui& ui, float indent) {
    try {
        const std::string full = typed_folder(choices_.folder).string();
        if (choices_.folder.find(full) != std::string::npos) return;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
        wrapped(ui, ui.colors.muted, "is " + full);
        log_item(ui, "export full folder");
    } catch (const InputError&) {
        // Said when it is asked to export.
    }
}

void ExportPanel::draw_options(const Ui& ui, float width) {
    draw_formats(ui);
    const float label = ui.px(64);
    const auto field = [&](const char* text, const char* id, const char* hint, std::string& value,
                           const char* help) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", text);
        ImGui::SameLine(label);
        ImGui::SetNextItemWidth(width - label);
        if (ImGui::InputTextWithHint(id, hint, &value)) {
            refusal_.clear();
            report_.reset();
        }
        log_item(ui, (std::string("export ") + text).c_str());
        explain_item(ui, help);
    };
    field("Folder", "##folder", "a folder", choices_.folder,
          "It is made where it is missing. ~ is the home folder.");
    draw_full_folder(ui, label);
    field("Name", "##name", "as in the list", name_,
          "The files' name without its ending; with several pictures, what stands before their own names");
}

void ExportPanel::want(const Session& session, const ShownPanels& shown,
                       const std::vector<FigureChoice>& list, bool replace) {
    try {
        ExportJob job;
        job.folder = typed_folder(choices_.folder);
        job.experiment = &session.info();
        job.snapshot = session.snapshot();
        job.history = session.history();
        job.shown = shown;
        for (const FigureChoice& choice : list)
            if (is_ticked(choice)) job.choices.push_back(choice);
        for (const FileFormat format : kFileFormats)
            if (choices_.formats[static_cast<size_t>(format)]) job.formats.push_back(format);
        job.run_files = choices_.run_files;
        job.name = name_;
        job.replace = replace;
        job.threads = session.threads();
        wanted_ = std::move(job);
        report_.reset();
    } catch (const InputError& error) {
        refusal_ = error.what();
    }
}

void ExportPanel::draw_buttons(const Ui& ui, const Session& session, const ShownPanels& shown,
                               const std::vector<FigureChoice>& list) {
    const auto ticked =
        std::count_if(list.begin(), list.end(), [this](const auto& choice) { return is_ticked(choice); });
    const auto formats = std::count(choices_.formats.begin(), choices_.formats.end(), true);
    const auto grids = std::count_if(list.begin(), list.end(), [this](const auto& choice) {
        return choice.kind == Kind::grid && is_ticked(choice);
    });
    const auto files = ticked * formats + (choices_.run_files ? 3 * (1 + grids) : 0);
    if (files == 0) {
        wrapped(ui, ui.colors.muted, ticked == 0 ? "Tick what is to be exported." : "Tick a format.");
        return;
    }
    if (writing_) {
        draw_progress(ui);
        return;
    }
    const bool blocked = report_ && !report_->in_the_way.empty();
    const std::string label = blocked ? fmt::format("Replace {} file{}", report_->in_the_way.size(),
                                                    report_->in_the_way.size() == 1 ? "" : "s")
                                      : fmt::format("Export {} file{}", files, files == 1 ? "" : "s");
    // A help at the pointer would cover what the last press has led to.
    const bool answered = report_ || !refusal_.empty();
    if (draw_button(ui, "export start", label, {ui.px(170), ui.px(32)},
                    answered ? "" : "The files are of this moment; training goes on meanwhile", true))
        want(session, shown, list, blocked);
    if (!blocked) return;
    ImGui::SameLine();
    if (draw_button(ui, "export keep", "Keep them", {ui.px(110), ui.px(32)}, "Write nothing"))
        report_.reset();
}

void ExportPanel::draw_progress(const Ui& ui) {
    const FileProgress progress = progress_.value_or(FileProgress{});
    // A file whose runs train is what one waits for.
    const bool long_work = progress.share > 0.0;
    const double share = long_work ? progress.share
                         : progress.total == 0
                             ? 0.0
                             : static_cast<double>(progress.done) / static_cast<double>(progress.total);
    const std::string left = long_work ? fmt::format("  {:.0f} %, {} left", 100.0 * progress.share,
                                                     duration_text(progress.seconds_left))
                                       : "";
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui.colors.accent);
    ImGui::ProgressBar(
        static_cast<float>(share), {-ui.px(98), ui.px(32)},
        fmt::format("{} of {}  {}{}", progress.done, progress.total, progress.name, left).c_str());
    ImGui::PopStyleColor();
    log_item(ui, "export progress");
    ImGui::SameLine(0.0F, ui.px(8));
    if (draw_button(ui, "export cancel", "Cancel", {ui.px(90), ui.px(32)},
                    "Stops; files that are whole stay, of a figure whose runs train nothing is written"))
        cancel_ = true;
}

void ExportPanel::draw_report(const Ui& ui) {
    if (!refusal_.empty()) wrapped(ui, ui.colors.bad, refusal_);
    if (!report_) return;
    ImGui::BeginChild("report", {0.0F, 0.0F});
    for (const std::string& failure : report_->failures) wrapped(ui, ui.colors.bad, failure);
    if (!report_->in_the_way.empty())
        wrapped(ui, ui.colors.warning,
                "There already, nothing was written (replaced, each stays until its successor is whole):");
    if (!report_->written.empty()) wrapped(ui, ui.colors.good, "Saved (click to copy the path):");
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
            log_item(ui, fmt::format("export path {}", index++).c_str());
        }
    ImGui::PopFont();
    ImGui::EndChild();
}

void ExportPanel::draw_preview(const Ui& ui, const Session& session, const ShownPanels& shown,
                               const std::vector<FigureChoice>& list, ImVec2 size) {
    const FigureChoice* choice = find_choice(list, pointed_);
    if (choice == nullptr) return;
    if (choice->kind == Kind::grid) {
        const GridFigureInfo& figure = session.info().grid_figures[choice->index];
        const auto [effort, is_new] = efforts_.try_emplace(figure.name);
        if (is_new) effort->second = effort_of(figure, session.threads());
        ImGui::BeginChild("no preview", size, true);
        ImGui::TextWrapped("%s", figure.title.c_str());
        wrapped(ui, ui.colors.muted,
                effort->second +
                    " They train in the background, beside the run that is shown, and can be "
                    "cancelled. Nothing can be seen of it before.");
        ImGui::EndChild();
        log_item(ui, "export effort");
        return;
    }
    preview_.draw(ui, choice->name, size, [&] {
        ExportJob job;
        job.experiment = &session.info();
        job.snapshot = session.snapshot();
        job.history = session.history();
        job.shown = shown;
        job.choices = {*choice};
        return job;
    });
}

void ExportPanel::draw(const Ui& ui, const Session& session, const ShownPanels& shown) {
    if (!open_ || !session.snapshot()) return;
    const std::vector<FigureChoice> list = drawable(session, shown);
    choose_requested(list);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size(std::min(ui.px(1080), display.x - ui.px(16)),
                      std::min(ui.px(640), display.y - ui.px(16)));
    ImGui::SetNextWindowPos({std::round((display.x - size.x) / 2), std::round((display.y - size.y) / 2)});
    ImGui::SetNextWindowSize(size);
    if (std::exchange(raise_, false)) ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.axis);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin("export", nullptr, kFixed);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    if (ui.log != nullptr) {
        const ImVec2 min = ImGui::GetWindowPos();
        ui.log->record("panel export", min, {min.x + size.x, min.y + size.y});
    }
    heading(ui, "Export");
    ImGui::SameLine(0.0F, ui.px(12));
    ImGui::TextDisabled("%s", fmt::format("{} at {} {}", session.info().title, session.snapshot()->step,
                                          session.snapshot()->step_unit)
                                  .c_str());
    const float close = ui.px(28);
    ImGui::SameLine(size.x - close - ImGui::GetStyle().WindowPadding.x);
    if (draw_button(ui, "export close", "×", {close, 0}, "Esc")) close_now_ = true;
    const float left = std::round(size.x * 0.4F);
    draw_list(ui, list, {left, 0.0F});
    ImGui::SameLine(0.0F, ui.px(16));
    ImGui::BeginGroup();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_preview(ui, session, shown, list, {room.x, room.y * 0.56F});
    draw_options(ui, room.x);
    draw_buttons(ui, session, shown, list);
    draw_report(ui);
    ImGui::EndGroup();
    ImGui::End();
    if (std::exchange(close_now_, false)) open_ = false;
}

void ExportPanel::start_wanted(ExportWorker& worker, int id) {
    progress_ = worker.progress();
    if (std::exchange(cancel_, false)) worker.cancel();
    if (!wanted_) return;
    const auto job = std::make_shared<const ExportJob>(std::move(*wanted_));
    wanted_.reset();
    writing_ = true;
    worker.start(
        id, [job](const ExportWorker::OnProgress& on_progress) { return run_export(*job, on_progress); });
}

void ExportPanel::take_report(FileReport report) {
    writing_ = false;
    report_ = std::move(report);
}

}  // namespace emergence
