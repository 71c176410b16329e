#include "app/gui/workbench.h"

#include <imgui_internal.h>

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/options.h"
#include "app/gui/panels/bars.h"
#include "app/gui/panels/emerged.h"
#include "app/gui/panels/settings.h"
#include "app/gui/panels/timeline.h"
#include "app/gui/session/view_values.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr double kOfferStays = 60.0;  // seconds

// Panels below a sheet must not react to the pointer. In its first frame ImGui does not know the sheet yet. While a modal
// sheet is open no panel reacts, so that no tooltip lies over the sheet.
void give_pointer_to_sheets(const std::vector<Sheet*>& sheets) {
    ImGuiWindow*& hovered = ImGui::GetCurrentContext()->HoveredWindow;
    for (const Sheet* sheet : sheets) {
        ImGuiWindow* window = sheet->is_open() ? ImGui::FindWindowByName(sheet->name()) : nullptr;
        const bool below =
            hovered != nullptr && (hovered->RootWindow->Flags & ImGuiWindowFlags_NoBringToFrontOnFocus) != 0;
        if (!below || !sheet->is_open()) continue;
        const bool shown = window != nullptr && window->WasActive && !window->Hidden;
        if (shown && window->Rect().Contains(ImGui::GetIO().MousePos))
            hovered = window;
        else if (!shown || sheet->is_modal())
            hovered = nullptr;
    }
}

}  // namespace

Workbench::Workbench(Jobs& jobs, Preferences preferences)
    : preferences_(std::move(preferences)),
      lesson_(jobs, asks_),
      lesson_list_(preferences_, [this] { return files_.folder(); }),
      files_(jobs, asks_, [this](const Session& session) { return shown_panels(session); }),
      runs_(jobs),
      phase_diagram_(jobs),
      runs_panel_(jobs, runs_),
      comparison_(jobs),
      open_dialog_(jobs, preferences_),
      palette_([this](const Session& session) { return palette_entries(session); }),
      door_({runs_, runs_panel_, phase_diagram_, chooser_, preferences_, toasts_, asks_}) {
    if (!preferences_.export_folder.empty()) files_.export_panel().choices().folder = preferences_.export_folder;
}

void Workbench::draw(const Ui& given, Session& session) {
    Ui ui = given;
    ui.editing = &editing_;
    ui.terms = &terms_;
    if (ui.log == nullptr && (lesson_.is_open() || walk_.active())) ui.log = &places_;
    const Context context{ui, session, asks_};
    listen_to_text(
        [this](const ImFont* font, ImVec2 at, const std::string& text) { terms_.under_pointer(font, at, text); });
    begin_frame(session);
    give_pointer_to_sheets(sheets_);
    const LayoutRequest request = layout_request(ui, session);
    layout_ = make_layout(request);
    draw_panels(context);
    draw_over(context, {{0.0F, 0.0F}, request.window});
    draw_sheets(context);
    listen_to_text({});
    answer_all(session);
}

// Everything that changes by itself happens before drawing.
void Workbench::begin_frame(Session& session) {
    terms_.begin_frame();
    editing_.begin_frame();
    if (close_popups_) ImGui::ClosePopupsOverWindow(nullptr, false);
    close_popups_ = false;
    popup_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (!ImGui::IsAnyItemActive()) session.end_gesture();
    turn_lesson(session);
    follow_opening(session);
    restore_view(session);
    runs_.turn(session, toasts_, autosave_seconds(), seconds_now());
    session.play(std::min(0.1, static_cast<double>(ImGui::GetIO().DeltaTime)));
    stage_.cover(lesson_.covered());
    stage_.place(session);
}

// Drawn over the panels without taking the keys: lesson, splitters, messages.
void Workbench::draw_over(const Context& context, const Box& window) {
    if (lesson_.is_open()) draw_lesson(context, window);
    draw_splitters(context.ui, layout_, preferences_.splits);
    draw_message(context);
}

void Workbench::draw_sheets(const Context& context) {
    const Ui& ui = context.ui;
    for (Sheet* sheet : sheets_) sheet->draw(context);
    const std::string& folder = files_.export_panel().choices().folder;
    preferences_.export_folder = folder == usual_folder_ ? "" : folder;
    terms_.draw(ui);
    follow_layers();
    if (walk_.active()) walk_.draw(ui, *ui.log, layers_.top() != nullptr ? layers_.top()->name() : "");
}

// Shows one message at a time, the most urgent first.
void Workbench::draw_message(const Context& context) {
    const auto& [ui, session, asks] = context;
    if (tour_ && seconds_now() > offered_ + kOfferStays) tour_.reset();
    const auto pressed_in = [&, &draw_ui = ui](const Message& message) {
        return emergence::draw_message(draw_ui, message_, message).pressed;
    };
    const Colors& colors = ui.colors;
    if (const std::vector<std::string> banners = session.banners(); !banners.empty()) {
        const std::string more = banners.size() > 1 ? fmt::format("  (1 of {})", banners.size()) : "";
        const std::string pressed =
            pressed_in({"banner", banners[0] + more, colors.bad, colors.bad, {{"dismiss", "×", "Take this away"}}});
        if (!pressed.empty()) asks(ask::Dismiss{});
        return;
    }
    if (toasts_.draw(ui, message_)) return;
    if (const RunToOpen* run = runs_.offer(); run != nullptr && !ui.presenting) {
        const std::string pressed = pressed_in(
            {"offer",
             fmt::format("Interrupted: {}, step {}, saved {}. {}", run->experiment->title,
                         run->checkpoint->settings.step.value_or(0), local_time(run->saved_at, "%Y-%m-%d %H:%M"),
                         run->notice),
             colors.accent,
             colors.text,
             {{"offer go on", "Resume", "Takes the place of the present run, as if it had never stopped.", true},
              {"offer leave", "×", "Ctrl + O lists it; it is not offered again."}}});
        if (!pressed.empty()) runs_.answer(pressed == "offer go on");
    } else if (!ui.presenting && !lesson_.is_open()) {
        draw_watch(context);
    }
}

// Says what the preset is and what to watch, with the offer of the tour at the very first start.
void Workbench::draw_watch(const Context& context) {
    const auto& [ui, session, asks] = context;
    Message message{"watch", chooser_.says(session), 0, ui.colors.text};
    if (tour_)
        message.buttons = {{"tour take", fmt::format("Take the tour, {} minutes", tour_->minutes),
                            "Three predictions show what P, Q and in-context TD are", true},
                           {"tour later", "×", "Later it is under Lessons (L), in the menu of three dots"}};
    if (message.text.empty()) return;
    const std::string pressed = emergence::draw_message(ui, message_, message).pressed;
    if (pressed == "tour take") asks(ask::TakeLesson{kTourLesson});
    if (pressed == "tour later") put_tour_off();
}

LayoutRequest Workbench::layout_request(const Ui& ui, const Session& session) const {
    LayoutRequest request;
    request.window = ImGui::GetIO().DisplaySize;
    if (lesson_.is_open()) request.window.x -= LessonPanel::width(ui, request.window.x);
    request.scale = ui.scale;
    request.splits = preferences_.splits;
    request.presenting = ui.presenting;
    if (ui.presenting) {
        request.controls_height = chosen_fields_height(ui);
        return request;
    }
    request.transport_height = transport_height(ui);
    request.settings = lesson_.is_open() ? lesson_settings_ : preferences_.settings_open;
    // If the settings are open, these controls are among them.
    if (!request.settings && !lesson_.is_open() && !controls(session).empty())
        request.controls_height = chosen_fields_height(ui);
    request.timeline_height = timeline_height(ui, session);
    request.headline_more = [&](float width) { return emerged_more(ui, session, width); };
    request.wings = stage_.wings();
    request.first_wing = stage_.first_wing_height();
    request.unfolded = stage_.unfolded();
    return request;
}

void Workbench::draw_panels(const Context& context) {
    const auto& [ui, session, asks] = context;
    draw_gaps(ui, layout_.all(), ui.px(8));
    if (layout_.transport.shown())
        message_ = draw_transport(context, layout_.transport, chooser_,
                                  [this, &of = session](Action action) { return why_not(action, of); });
    if (layout_.settings.shown()) settings_.draw(context, layout_.settings);
    if (lesson_.covers_headline())
        draw_covered_headline(ui);
    else if (layout_.headline.shown())
        draw_emerged(context, layout_.headline, matrices_.seed_index());
    matrices_.set_pinned(session.pin());
    matrices_.show_change(session.baseline() != nullptr);
    stage_.draw(context, layout_, {matrices_, curves_, scene_});
    remember_stage();
    if (layout_.controls.shown()) draw_controls(context);
    if (layout_.timeline.shown()) draw_timeline(context, layout_.timeline, !lesson_.covers_headline());
    if (layout_.status.shown()) draw_status(ui, layout_.status, session);
}

// A lesson shows the controls that its step unlocks.
std::vector<std::string> Workbench::controls(const Session& session) const {
    std::vector<std::string> chosen = stage_.staging().controls;
    if (lesson_.is_open()) return chosen;
    if (!look().presenting) return first_controls(std::move(chosen), session.settings());
    return session.snapshot() ? controls_of(stage_.on_stage(), std::move(chosen), *session.snapshot()) : chosen;
}

// A presentation has no other place for the run's status and for messages.
void Workbench::draw_controls(const Context& context) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "controls", layout_.controls);
    const Box last = draw_chosen_fields(context, layout_.controls, controls(session));
    if (!ui.presenting) return;
    message_ = last;
    if (session.banners().empty() && toasts_.texts().empty())
        draw_status_for_class(context, last, !lesson_.covers_headline());
}

// Places the pictures as the opened file says, or as the user had them there last. A file that is no preset and names a
// stage overrides the user's choice.
void Workbench::follow_opening(const Session& session) {
    const bool starts = openings_ < 0, opened = std::exchange(openings_, session.openings()) != session.openings();
    if (!opened && opening_ == session.opening()) return;
    if (!stage_names_.empty()) stood_[opening_] = {stage_.home(), stage_.own(), stage_names_};
    opening_ = session.opening();
    matrices_.look_at(session.info().name);
    // Zoom and selection belong to what was open before.
    curves_.fit_all();
    matrices_.deselect();
    if (lesson_.is_open()) {  // its steps place the pictures
        stage_names_.clear();
        return;
    }
    if (!opened && stands_again()) return;
    const std::string preset = chooser_.preset(session);
    const std::optional<ViewValues>& view = door_.next_view();
    Staging home = view ? staging_in(*view) : Staging();
    const bool says_itself = preset.empty() && !home.stage.empty();
    if (home.stage.empty()) home = usual_staging(session.info().name);
    stage_names_ = {"experiment " + session.info().name};  // a preset may have the experiment's own name
    if (!preset.empty()) stage_names_.insert(stage_names_.begin(), preset);
    const auto kept = preferences_.stagings.find(stage_names_.front());
    // The first preset always shows P and Q when the program starts.
    const bool knows = kept != preferences_.stagings.end() && !says_itself && !(starts && preset == kFirstPreset);
    stage_.open(std::move(home), knows ? std::optional(kept->second) : std::nullopt);
}

// After undo or redo the stage returns to its state there.
bool Workbench::stands_again() {
    const auto found = stood_.find(opening_);
    if (found == stood_.end()) return false;
    stage_.open(found->second.home, found->second.own);
    stage_names_ = found->second.names;
    return true;
}

void Workbench::remember_stage() {
    for (const std::string& name : stage_names_)
        if (stage_.own())
            preferences_.stagings[name] = *stage_.own();
        else
            preferences_.stagings.erase(name);
}

ShownPanels Workbench::shown_panels(const Session& session) const {
    return {curves_.plots(),
            matrices_.heatmaps(),
            has_scene(session) ? scene_.shown() : std::vector<SceneMoment>{},
            view_values(),
            session.other_runs(),
            stage_.places().stage,
            chooser_.title(session),
            chooser_.preset(session)};
}

// The new run's view is restored once that run has started with its own seeds.
void Workbench::restore_view(const Session& session) {
    const std::shared_ptr<const Snapshot>& live = session.live_snapshot();
    if (!live || live->experiment != session.info().name || live->settings != session.settings()) return;
    const std::optional<ViewValues> view = door_.next_view();
    if (!view) return;
    door_.show_next_as({});
    matrices_.restore_view(*view);
    curves_.restore_view(*view);
}

ViewValues Workbench::view_values() const {
    ViewValues view;
    matrices_.write_view(view);
    curves_.write_view(view);
    if (!stage_.staging().empty()) write_staging(stage_.staging(), view);
    return view;
}

bool Workbench::needs_frame(const Session& session) const {
    return toasts_.stale() || session.banner_is_stale(seconds_now()) ||
           runs_.due(session, autosave_seconds(), seconds_now()) || phase_diagram_.due(seconds_now());
}

}  // namespace emergence
