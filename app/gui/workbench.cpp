#include "app/gui/workbench.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/gui/dialogs/preferences_dialog.h"
#include "app/gui/panels/emerged.h"
#include "app/gui/panels/settings.h"
#include "app/gui/panels/splitters.h"
#include "app/gui/panels/status.h"
#include "app/gui/panels/timeline.h"
#include "app/gui/session/state_text.h"
#include "app/gui/session/view_values.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"

namespace emergence {
namespace {

// Of a view: the game is open.
constexpr const char* kGuessing = "guess";

}  // namespace

Workbench::Workbench(Jobs& jobs, Preferences preferences)
    : preferences_(std::move(preferences)),
      lesson_(jobs),
      lecture_(jobs),
      files_(jobs),
      runs_(jobs),
      phase_diagram_(jobs),
      runs_panel_(jobs),
      comparison_(jobs),
      guess_(jobs),
      open_dialog_(jobs),
      layers_(layers_of(*this)),
      door_({runs_, runs_panel_, phase_diagram_, chooser_, preferences_, toasts_}) {
    if (!preferences_.export_folder.empty()) files_.export_panel().choices().folder = preferences_.export_folder;
}

void Workbench::draw(const Ui& given, Session& session, const Timing& timing) {
    Ui ui = given;
    ui.editing = &editing_;
    ui.terms = &terms_;
    scale_ = ui.scale;
    terms_.begin_frame();
    const ListenToText listening(terms_);
    editing_.begin_frame();
    if (close_popups_) ImGui::ClosePopupsOverWindow(nullptr, false);
    close_popups_ = false;
    popup_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (!ImGui::IsAnyItemActive()) session.end_gesture();
    if (ui.log == nullptr && (lesson_.is_open() || walk_.active())) ui.log = &places_;
    turn_lesson(session);
    follow_opening(session);
    if (auto staging = lesson_.take_staging()) follow_step(*std::move(staging), session);
    restore_view(session);
    runs_.turn(session, toasts_, autosave_seconds(), seconds_now());
    session.play(std::min(0.1, static_cast<double>(ImGui::GetIO().DeltaTime)));
    turn_lecture(session);
    stage_.cover(lesson_.covered());
    stage_.place(session);
    const LayoutRequest request = layout_request(ui, session);
    layout_ = make_layout(request);
    TransportWish wish;
    draw_panels(ui, session, wish);
    if (lesson_.is_open()) draw_lesson(ui, session, {{0.0F, 0.0F}, request.window});
    draw_tour(ui, session, {{0.0F, 0.0F}, request.window});
    draw_splitters(ui, layout_, preferences_.splits);
    draw_banners(ui, layout_.banner, session);
    const float bottom = layout_.status.shown() ? layout_.status.min.y : request.window.y;
    const Box above_status{{0.0F, 0.0F}, {request.window.x, bottom}};
    files_.draw(ui, session, toasts_, files_.export_open() ? shown_panels(session) : ShownPanels{});
    toasts_.draw(ui, above_status, layout_.status);
    // The strip of time is not to be covered for as long as nobody answers.
    const float above = layout_.timeline.shown() ? layout_.timeline.min.y : bottom;
    const Box above_time{{0.0F, 0.0F}, {request.window.x, above}};
    lecture_.draw(ui, above_time);
    if (!ui.presenting || runs_.asks()) runs_.draw(ui, above_time, session, toasts_);
    if (const auto cell = phase_diagram_.draw(ui, session)) door_.open_cell(*cell, session);
    if (const auto run = runs_panel_.draw(ui, session)) door_.open_run(*run, session);
    if (auto run = runs_panel_.take_compared()) comparison_.open(std::move(run));
    if (auto report = comparison_.draw(ui, session, files_.export_panel().choices())) files_.add(*std::move(report));
    const ComparisonPanel::Wish wish_to_compare = comparison_.take_wish();
    if (wish_to_compare == ComparisonPanel::Wish::start_b) act(Action::compare, session);
    if (wish_to_compare == ComparisonPanel::Wish::choose_saved) runs_panel_.open(runs_.folder());
    if (const auto bookmark = bookmarks_.draw(ui, preferences_.bookmarks)) keep(*bookmark, session);
    std::erase_if(preferences_.bookmark_runs,
                  [&](const auto& run) { return !preferences_.bookmarks.contains(run.first); });
    if (auto copied = runs_.take_copied())
        preferences_.bookmark_runs[std::move(copied->first)] = copied->second.string();
    description_.draw(ui);
    draw_guess(ui, session);
    const std::string& folder = files_.export_panel().choices().folder;
    preferences_.export_folder = folder == default_export_folder() ? "" : folder;
    draw_preferences(ui, preferences_, session, preferences_open_);
    if (const auto asked = handbook_.draw(ui)) answer(*asked, session);
    if (const auto paths = open_dialog_.draw(ui, preferences_.recent); !paths.empty()) door_.open(paths, session);
    draw_lesson_list(ui, session);
    palette_.draw(ui, session);
    if (timing_open_) draw_timing(ui, session, timing);
    terms_.draw(ui);
    follow_layers();
    if (walk_.active()) walk_.draw(ui, *ui.log, layers_.top() != nullptr ? layers_.top()->window : "");
    if (wish.action) act(*wish.action, session);
    if (wish.entry && wish.entry->experiment != nullptr)
        door_.open_experiment(*wish.entry->experiment, session);
    else if (wish.entry)
        door_.open_preset(wish.entry->preset, session);
}

namespace {

// What stands on the stage is what is exported, until something else is chosen.
FigureChoice::Kind export_kind(const std::vector<PictureCell>& stage) {
    using Kind = FigureChoice::Kind;
    if (stage.empty()) return Kind::window;
    const PictureCell::Kind one = stage.front().kind;
    for (const PictureCell& cell : stage)
        if (cell.kind != one) return Kind::window;
    if (one == PictureCell::Kind::scene) return Kind::scene;
    return one == PictureCell::Kind::plot ? Kind::curves : Kind::matrices;
}

}  // namespace

LayoutRequest Workbench::layout_request(const Ui& ui, const Session& session) const {
    LayoutRequest request;
    request.window = ImGui::GetIO().DisplaySize;
    if (lesson_.is_open()) request.window.x -= LessonPanel::width(ui, request.window.x);
    request.scale = ui.scale;
    request.splits = preferences_.splits;
    request.banner_height = [&](float width) { return banners_height(ui, session, width); };
    request.presenting = ui.presenting;
    if (ui.presenting) {
        request.controls_height = field_row_height(ui, stage_.staging().controls, session);
        return request;
    }
    request.transport_height = transport_height(ui, session);
    request.timeline_height = timeline_height(ui, session);
    request.headline_more = [&](float width) { return emerged_more(ui, session, width); };
    request.wings = stage_.wings();
    request.unfolded = stage_.unfolded();
    return request;
}

void Workbench::draw_panels(const Ui& ui, Session& session, TransportWish& wish) {
    draw_gaps(ui, layout_.all(), ui.px(8));
    if (layout_.transport.shown()) {
        const auto why_not = [&](Action action) { return this->why_not(action, session); };
        wish = draw_transport(ui, layout_.transport, session, chooser_, why_not);
    }
    if (layout_.settings.shown()) settings_.draw(ui, layout_.settings, session);
    if (lesson_.covers_headline())
        draw_covered_headline(ui);
    else
        draw_emerged(ui, layout_.headline, session, matrices_.seed_index());
    matrices_.set_pinned(session.pin(0));
    matrices_.show_change(session.baseline() != nullptr);
    matrices_.color_maps() = preferences_.maps;
    const std::optional<MatrixSelection> selected = matrices_.selection();
    const bool wants_export = stage_.draw(ui, layout_, session, {matrices_, curves_, scene_});
    if (const auto& now = matrices_.selection(); now && now != selected)
        if (lesson_.click_cell(now->matrix, now->row, now->column, session) ||
            guess_.click_cell(now->matrix, now->row, now->column))
            matrices_.deselect();
    preferences_.maps = matrices_.color_maps();
    if (const auto surgery = matrices_.surgery().take_surgery()) session.set_field(kSurgeryField, *surgery);
    if (matrices_.surgery().take_train_on()) train_on(session);
    session.set_minus_pin(matrices_.view().baseline != nullptr);  // the toolbar changes it too
    if (wants_export) files_.open_export(export_kind(stage_.on_stage()));
    remember_stage();
    if (layout_.controls.shown()) draw_field_row(ui, layout_.controls, stage_.staging().controls, session);
    if (layout_.timeline.shown()) draw_timeline(ui, layout_.timeline, session, !lesson_.covers_headline());
    if (layout_.status.shown()) draw_status(ui, layout_.status, session);
}

// The pictures stand as in what was opened, or as the user had them there last. A file that says itself where they
// stand means so.
void Workbench::follow_opening(const Session& session) {
    if (std::exchange(openings_, session.openings()) == session.openings()) return;
    // What was zoomed into, and the chosen cell, belong to what was open before.
    curves_.fit_all();
    matrices_.deselect();
    if (lesson_.is_open()) {  // its steps say where the pictures stand
        stage_names_.clear();
        return;
    }
    const std::string preset = chooser_.preset(session);
    const std::optional<ViewValues>& view = door_.next_view();
    Staging home = view ? staging_in(*view) : Staging();
    const bool says_itself = preset.empty() && !home.stage.empty();
    if (home.stage.empty()) home = usual_staging(session.info().name);
    stage_names_ = {"experiment " + session.info().name};  // a preset may have the experiment's own name
    if (!preset.empty()) stage_names_.insert(stage_names_.begin(), preset);
    const auto kept = preferences_.stagings.find(stage_names_.front());
    const bool knows = kept != preferences_.stagings.end() && !says_itself;
    stage_.open(std::move(home), knows ? std::optional(kept->second) : std::nullopt);
}

void Workbench::remember_stage() {
    if (lecturing_) return;
    for (const std::string& name : stage_names_)
        if (stage_.own())
            preferences_.stagings[name] = *stage_.own();
        else
            preferences_.stagings.erase(name);
}

ShownPanels Workbench::shown_panels(const Session& session) const {
    return {curves_.plots(), matrices_.heatmaps(), has_scene(session) ? scene_.shown() : std::vector<SceneMoment>{},
            view_values(), session.other_runs()};
}

// What the user has opened is there with its own seeds only after its run has started.
void Workbench::restore_view(const Session& session) {
    const std::shared_ptr<const Snapshot>& live = session.live_snapshot();
    if (!live || live->experiment != session.info().name || live->settings != session.settings()) return;
    const std::optional<ViewValues> view = door_.take_view();
    if (!view) return;
    matrices_.restore_view(*view);
    curves_.restore_view(*view);
    if (flag_in(*view, kGuessing).value_or(false)) guess_.open();
}

ViewValues Workbench::view_values() const {
    ViewValues view;
    matrices_.write_view(view);
    curves_.write_view(view);
    if (guess_.is_open()) view[kGuessing] = true;
    if (!stage_.staging().empty()) write_staging(stage_.staging(), view);
    return view;
}

void Workbench::answer(const HandbookRequest& request, Session& session) {
    if (!request.preset.empty()) door_.open_preset(request.preset, session, request.notice);
    if (!request.lesson.empty())
        for (const LessonInfo& one : shipped_lessons())
            if (one.name == request.lesson) take_lesson(one, session);
    if (request.copied.empty()) return;
    ImGui::SetClipboardText(request.copied.c_str());
    toasts_.add(request.notice);
}

// With the weights that are shown, operated on as they are.
void Workbench::train_on(Session& session) {
    if (!session.snapshot()) return;
    try {
        const std::filesystem::path file = files_.write_weights(*session.snapshot());
        Settings settings = session.settings();
        if (settings.has(kSurgeryField)) settings.set(kSurgeryField, std::string());
        door_.start_from_weights(file, std::move(settings), session);
    } catch (const std::exception& error) {
        session.report(error.what());
    }
}

void Workbench::keep(const BookmarkRequest& request, Session& session) {
    using Kind = BookmarkRequest::Kind;
    if (request.kind == Kind::add) {
        preferences_.bookmarks[request.name] = state_text(session, view_values(), true);
        preferences_.bookmark_runs.erase(request.name);
        runs_.save_copy(session, request.name);
    } else if (request.kind == Kind::open) {
        door_.open_bookmark(request.name, session);
    } else {
        act(request.kind == Kind::copy ? Action::copy_state : Action::paste_state, session);
    }
}

bool Workbench::needs_frame(const Session& session) const {
    return toasts_.stale() || session.banner_is_stale(seconds_now()) ||
           runs_.due(session, autosave_seconds(), seconds_now()) || phase_diagram_.due(seconds_now());
}

}  // namespace emergence
