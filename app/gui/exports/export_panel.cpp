#include "app/gui/exports/export_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/shell/clock.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(1000);
constexpr int kShare = 10;  // drawing takes at most a tenth of a core

// The heading of a choice's group.
std::string group_of(FigureChoice::Kind kind) {
    using Kind = FigureChoice::Kind;
    return kind == Kind::figure   ? "Figures of papers"
           : kind == Kind::grid   ? "Figures of many runs"
           : kind == Kind::matrix ? "Single matrices"
           : kind == Kind::plot   ? "Single plots"
           : kind == Kind::scene  ? "The world, drawn"
                                  : "This window";
}

}  // namespace

void ExportPreview::begin(ImVec2 size, ExportOrder order) {
    coming_ = jobs_.post(
        Lane::preview,
        [from = std::move(order), size](const Jobs::Task&) {
            Result result;
            try {
                const FigureSpec figure =
                    build_figure(from.choices.front(), *from.experiment, *from.snapshot, from.history, from.shown);
                result.image = draw_pixels(figure, static_cast<int>(size.x), static_cast<int>(size.y), from.page);
            } catch (const std::exception& error) {
                result.refusal = error.what();
            }
            return result;
        },
        [this, began = Clock::now()](Result result) {
            shown_ = std::move(result);
            const Clock::time_point now = Clock::now();
            next_at_ = now + std::max<Clock::duration>(kBetween, kShare * (now - began));
            fresh_ = true;
        });
}

void ExportPreview::draw(const Ui& ui, const std::string& name, ImVec2 size, const std::function<ExportOrder()>& make) {
    size = {std::floor(size.x), std::floor(size.y)};
    const std::string picture = fmt::format("{} {} {}", name, size.x, size.y);
    if (!coming_.active() && (std::exchange(wanted_, picture) != picture || Clock::now() > next_at_))
        begin(size, make());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 centre(std::round(at.x + size.x / 2), std::round(at.y + size.y / 2));
    if (!shown_ || !shown_->refusal.empty()) {
        const std::string text = shown_ ? elided(ui.fonts.small, shown_->refusal, size.x) : "drawing…";
        draw_text_placed(list, ui.fonts.small, centre, Placed::centre, ui.colors.muted, text);
        return;
    }
    const PixelImage& image = shown_->image;
    if (fresh_ && ui.textures != nullptr) {
        texture_ = ui.textures->upload(texture_, image.width, image.height, image.pixels);
        fresh_ = false;
    }
    const ImVec2 min(std::round(centre.x - static_cast<float>(image.width) / 2),
                     std::round(centre.y - static_cast<float>(image.height) / 2));
    const ImVec2 max(min.x + static_cast<float>(image.width), min.y + static_cast<float>(image.height));
    if (texture_ != nullptr) list->AddImage(texture_, min, max);
    list->AddRect(min, max, ui.colors.border);
}

void ExportPanel::draw_choice(const Ui& ui, const FigureChoice& choice) {
    bool ticked = is_ticked(choice);
    const std::string title = choice.title.empty() ? in_words(choice.name) : choice.title;
    const std::string label =
        elided(ui.fonts.body, title,
               ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemInnerSpacing.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (choice.name == pointed_)
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetFrameHeight()}, ui.colors.control, ui.px(4));
    if (ImGui::Checkbox((label + "##" + choice.name).c_str(), &ticked)) {
        if (unasked_ != choice.name) ticked_.erase(unasked_);
        unasked_.clear();
        ticked_.erase(choice.name);
        if (ticked) ticked_.insert(choice.name);
        report_.reset();
    }
    note_item(ui, "export " + choice.name, label != title ? title : "");
    if (choice.name == unseen_) {
        ImGui::SetScrollHereY();
        unseen_.clear();
    }
    if (ImGui::IsItemHovered()) pointed_ = choice.name;
}

void ExportPanel::draw_missing(const Ui& ui) {
    if (missing_ && missing_->empty()) return;
    heading_text(ui, "Not of this run");
    if (!missing_) return small_text(ui, ui.colors.muted, "Looking which figures this run can draw…");
    for (const Missing& figure : *missing_) {
        ImGui::PushTextWrapPos(0.0F);
        ImGui::TextDisabled("%s", figure.title.c_str());
        ImGui::PopTextWrapPos();
        log_item(ui, "export missing " + figure.name);
        small_text(ui, ui.colors.muted, capitalised(figure.reason) + ".");
    }
}

void ExportPanel::draw_list(const Ui& ui, const std::vector<FigureChoice>& list, ImVec2 size) {
    ImGui::BeginChild("list", size);
    std::string group;
    for (const FigureChoice& choice : list) {
        if (std::exchange(group, group_of(choice.kind)) != group) heading_text(ui, group);
        draw_choice(ui, choice);
    }
    heading_text(ui, "The run itself");
    const std::string names = fmt::format("{}", fmt::join(run_file_names(), ", "));
    if (draw_check(ui, "export run files", "settings, metrics and weights", choices_.run_files,
                   names + ", as emergence-cli run writes them"))
        report_.reset();
    draw_missing(ui);
    ImGui::EndChild();
}

void ExportPanel::draw_preview(const Ui& ui, const Session& session, const ShownPanels& shown,
                               const std::vector<FigureChoice>& list, ImVec2 size) {
    const FigureChoice* choice = pointed_at(list);
    if (choice == nullptr) return;
    if (choice->kind == Kind::grid) {
        const FigureInfo& figure = session.info().figures[choice->index];
        const auto [effort, is_new] = efforts_.try_emplace(figure.name);
        if (is_new) effort->second = effort_of(figure, session.threads());
        ImGui::BeginChild("no preview", size, true);
        ImGui::TextWrapped("%s", figure.title.c_str());
        small_text(ui, ui.colors.muted,
                   effort->second + " They train in the background and can be cancelled. There is no preview.");
        ImGui::EndChild();
        log_item(ui, "export effort");
        return;
    }
    const PageFormat& page = choices_.page;
    const std::string name = fmt::format("{} {} {} {}", choice->name, page.width_inches, page.slide, page.caption);
    preview_.draw(ui, name, size, [&] {
        ExportOrder order = order_of(session, shown);
        order.choices = {*choice};
        return order;
    });
}

ExportOrder ExportPanel::order_of(const Session& session, const ShownPanels& shown) const {
    ExportOrder order;
    order.experiment = &session.info();
    order.snapshot = session.snapshot();
    order.history = session.history();
    order.shown = shown;
    order.page = choices_.page;
    return order;
}

std::vector<FileFormat> chosen_formats(const ExportChoices& choices) {
    std::vector<FileFormat> formats;
    for (const FileFormat format : writable_formats())
        if (choices.formats[static_cast<size_t>(format)]) formats.push_back(format);
    return formats;
}

ExportPanel::ExportPanel(Jobs& jobs, Shown shown)
    : Sheet("export"), jobs_(jobs), shown_(std::move(shown)), preview_(jobs) {
    choices_.folder = default_export_folder().string();
    for (const FileFormat format : {writable_formats().front(), FileFormat::png})
        choices_.formats[static_cast<size_t>(format)] = true;
}

void ExportPanel::open(const Session&) { open_with({}); }

void ExportPanel::open_with(std::optional<Kind> kind, const std::string& name) {
    show();
    requested_kind_ = kind;
    requested_name_ = name;
    if (!writing_.active()) report_.reset();
    refusal_.clear();
}

const FigureChoice* ExportPanel::pointed_at(const std::vector<FigureChoice>& list) const {
    const auto found = find_if(list, [this](const FigureChoice& choice) { return choice.name == pointed_; });
    return found == list.end() ? nullptr : &*found;
}

// The picture that open_with() asked for gets the one tick, once there is a list.
void ExportPanel::choose_requested(const std::vector<FigureChoice>& list) {
    const auto wanted = find_if(list, [this](const FigureChoice& choice) {
        return requested_name_.empty() ? choice.kind == requested_kind_ : choice.name == requested_name_;
    });
    if (wanted != list.end()) {
        ticked_ = {wanted->name};
        unseen_ = wanted->name;
        unasked_.clear();
        pointed_ = wanted->name;
    }
    requested_kind_.reset();
    requested_name_.clear();
    // A figure that takes minutes is never chosen by the panel itself.
    const auto quick = find_if(list, [](const FigureChoice& choice) { return choice.kind != Kind::grid; });
    if (!pointed_at(list) && quick != list.end()) pointed_ = quick->name;
    const bool any = any_of(list, [this](const auto& choice) { return is_ticked(choice); });
    if (!any && pointed_at(list) && !choices_.run_files) ticked_.insert(unasked_ = pointed_);
}

// Only drawing shows whether a figure can be drawn, and drawing takes time: a job tries, and again as the run goes on.
void ExportPanel::check_figures(const Session& session) {
    const std::shared_ptr<const Snapshot>& now = session.snapshot();
    std::vector<FigureChoice> figures = figure_choices(session.info(), {});
    std::erase_if(figures, [](const FigureChoice& choice) { return choice.kind != Kind::figure; });
    const bool same_run =
        checked_ && checked_->experiment == now->experiment && checked_->run_number == now->run_number;
    if (!same_run) missing_.reset();
    if (figures.empty()) missing_.emplace();
    if (figures.empty() || now == checked_ || (same_run && (checking_.active() || seconds_now() < check_again_at_)))
        return;
    checking_.cancel();
    checked_ = now;
    checking_ = jobs_.post(
        Lane::preview,
        [figures, now, info = &session.info(), history = session.history()](const Jobs::Task& task) {
            std::vector<Missing> missing;
            for (const FigureChoice& choice : figures) {
                if (task.stopping()) break;
                const std::string reason = why_missing(info->figures[choice.index], *now, history);
                if (!reason.empty()) missing.push_back({choice.name, choice.title, reason});
            }
            return missing;
        },
        [this, began = seconds_now()](std::vector<Missing> missing) {
            missing_ = std::move(missing);
            check_again_at_ = seconds_now() + std::max(1.0, 10 * (seconds_now() - began));
        });
}

// What the present run can draw; missing_ has the rest and the reasons.
std::vector<FigureChoice> ExportPanel::drawable(const Session& session, const ShownPanels& shown) const {
    std::vector<FigureChoice> list = figure_choices(session.info(), shown);
    std::erase_if(list, [this](const FigureChoice& choice) {
        return missing_ ? any_of(*missing_, [&](const Missing& figure) { return figure.name == choice.name; })
                        : choice.kind == Kind::figure;
    });
    // What the window shows comes first.
    std::stable_partition(list.begin(), list.end(), [](const FigureChoice& choice) {
        return choice.kind == Kind::stage || choice.kind == Kind::window || choice.kind == Kind::matrices ||
               choice.kind == Kind::curves;
    });
    return list;
}

void ExportPanel::draw(const Context& context) {
    const auto& [ui, session, asks] = context;
    if (!open_ || !session.snapshot()) return;
    const ShownPanels shown = shown_(session);
    check_figures(session);
    const std::vector<FigureChoice> list = drawable(session, shown);
    if (missing_) choose_requested(list);
    const SheetWindow sheet(ui, "export", 1080.0F, 640.0F, std::exchange(raise_, false));
    const ImVec2 size = sheet.size();
    const Snapshot& now = *session.snapshot();
    const bool closes = sheet.draw_heading(ui, "Export", "export",
                                           fmt::format("{} at {} {}", session.info().title, now.step, now.step_unit));
    const float left = std::round(size.x * 0.4F);
    draw_list(ui, list, {left, 0.0F});
    ImGui::SameLine(0.0F, ui.px(16));
    ImGui::BeginGroup();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_preview(ui, session, shown, list, {room.x, room.y * 0.52F});
    draw_options(ui, room.x);
    draw_buttons(context, shown, list);
    draw_report(ui);
    ImGui::EndGroup();
    if (closes) close();
}

}  // namespace emergence
