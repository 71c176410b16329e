#include "app/gui/workbench.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/dialogs/preferences_dialog.h"
#include "app/gui/panels/emerged.h"
#include "app/gui/panels/headings.h"
#include "app/gui/panels/settings.h"
#include "app/gui/panels/status.h"
#include "app/gui/panels/timeline.h"
#include "app/gui/panels/transport.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"

namespace emergence {

Workbench::Workbench(Preferences preferences, std::function<void()> on_change)
    : preferences_(std::move(preferences)),
      files_(on_change),
      runs_(on_change),
      phase_diagram_(on_change),
      runs_panel_(std::move(on_change)),
      find_(find_experiment) {
    if (!preferences_.export_folder.empty())
        files_.export_panel().choices().folder = preferences_.export_folder;
}

void Workbench::draw(const Ui& given, Session& session, const Timing& timing) {
    Ui ui = given;
    ui.editing = &editing_;
    ui.terms = &terms_;
    terms_.begin_frame();
    const ListenToText listening(terms_);
    editing_.begin_frame();
    if (close_popups_) ImGui::ClosePopupsOverWindow(nullptr, false);
    close_popups_ = false;
    popup_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (!ImGui::IsAnyItemActive()) session.end_gesture();
    // What was zoomed into belongs to what was open before.
    if (std::exchange(openings_, session.openings()) != session.openings()) curves_.fit_all();
    restore_view(session);
    runs_.turn(session, files_.toasts(), preferences_.autosave_seconds, seconds_now());
    session.play(std::min(0.1, static_cast<double>(ImGui::GetIO().DeltaTime)));
    LayoutRequest request;
    request.window = ImGui::GetIO().DisplaySize;
    request.scale = ui.scale;
    request.transport_height = transport_height(ui, session);
    request.timeline_height = ui.presenting ? 0.0F : timeline_height(ui, session);
    request.strip_more = [&](float width) { return emerged_more(ui, session, width); };
    request.banner_height = [&](float width) { return banners_height(ui, session, width); };
    request.matrices = !session.snapshot() || !session.snapshot()->matrices.empty();
    request.splits = preferences_.splits;
    request.enlarged = enlarged_;
    request.presenting = ui.presenting;
    request.scene = has_scene(session);
    if (request.scene) request.scene_height = static_cast<float>(session.snapshot()->scenes.front().height);
    if (!request.scene && enlarged_ == PanelName::scene) request.enlarged = enlarged_ = std::nullopt;
    layout_ = make_layout(request);
    draw_gaps(ui, layout_.all(), ui.px(8));
    std::optional<Action> wanted;
    if (layout_.transport.shown())
        wanted = draw_transport(ui, layout_.transport, session, chooser_, preferences_);
    if (layout_.settings.shown()) settings_.draw(ui, layout_.settings, session);
    if (layout_.emerged.shown()) draw_emerged(ui, layout_.emerged, session, matrices_.seed_index());
    matrices_.set_pinned(session.pin(0));
    matrices_.show_change(session.baseline() != nullptr);
    if (layout_.matrices.shown()) {
        matrices_.color_maps() = preferences_.maps;
        matrices_.draw(ui, layout_.matrices, session);
        preferences_.maps = matrices_.color_maps();
        if (const auto surgery = matrices_.surgery().take_surgery()) session.set_field("surgery", *surgery);
        if (matrices_.surgery().take_train_on()) files_.train_on(session);
    }
    session.set_minus_pin(matrices_.view().baseline != nullptr);  // its toolbar has a say too
    if (layout_.curves.shown()) curves_.draw(ui, layout_.curves, session, matrices_.seed_index());
    scene_.hide();
    if (layout_.scene.shown()) scene_.draw(ui, layout_.scene, session, matrices_.seed_index());
    if (layout_.timeline.shown()) draw_timeline(ui, layout_.timeline, session);
    if (layout_.status.shown()) draw_status(ui, layout_.status, session);
    if (const auto to_export = draw_headings(ui, layout_, enlarged_))
        files_.open_export(*to_export == PanelName::matrices ? FigureChoice::Kind::matrices
                           : *to_export == PanelName::scene  ? FigureChoice::Kind::scene
                                                             : FigureChoice::Kind::curves);
    draw_splitters(ui, layout_, preferences_.splits);
    draw_banners(ui, layout_.banner, session);
    const float bottom = layout_.status.shown() ? layout_.status.min.y : request.window.y;
    const Box above_status{{0.0F, 0.0F}, {request.window.x, bottom}};
    files_.draw(ui, session, files_.export_open() ? shown_panels(session) : ShownPanels{}, above_status,
                layout_.status);
    // The strip of time is not to be covered for as long as nobody answers.
    const float above = layout_.timeline.shown() ? layout_.timeline.min.y : bottom;
    if (!ui.presenting || runs_.asks())
        runs_.draw(ui, {{0.0F, 0.0F}, {request.window.x, above}}, session, files_.toasts());
    if (const auto wish = phase_diagram_.draw(ui, session)) open_cell(*wish, session);
    if (const auto wish = runs_panel_.draw(ui, session)) open_run(*wish, session);
    if (const auto wish = bookmarks_.draw(ui, preferences_.bookmarks)) keep(*wish, session);
    const std::string& folder = files_.export_panel().choices().folder;
    preferences_.export_folder = folder == default_export_folder() ? "" : folder;
    draw_preferences(ui, preferences_, session, preferences_open_);
    if (const auto wish = handbook_.draw(ui)) answer(*wish, session);
    if (timing_open_) draw_timing(ui, session, timing);
    terms_.draw(ui);
    if (wanted) act(*wanted, session);
}

ShownPanels Workbench::shown_panels(const Session& session) const {
    return {curves_.plots(), matrices_.heatmaps(),
            has_scene(session) ? scene_.shown() : std::vector<SceneMoment>{}, view_values()};
}

// What the user has opened is there with its own seeds only after its run has started.
void Workbench::restore_view(const Session& session) {
    const std::shared_ptr<const Snapshot>& live = session.live_snapshot();
    if (!live || live->experiment != session.info().name || live->settings != session.settings()) return;
    const std::optional<ViewValues> view = files_.take_view();
    if (!view) return;
    matrices_.restore_view(*view);
    curves_.restore_view(*view);
}

ViewValues Workbench::view_values() const {
    ViewValues view;
    matrices_.write_view(view);
    curves_.write_view(view);
    return view;
}

void Workbench::open(const std::filesystem::path& path, Session& session, const FindExperiment& find) {
    if (const auto folder = run_folder_at(path))
        runs_.open(*folder, find);
    else if (sweep_file_at(path))
        try {
            phase_diagram_.open_sweep(path);
        } catch (const InputError& error) {
            session.report(error.what());
        }
    else
        files_.open_file(path, session, find);
}

// One without a checkpoint is trained again, to where it was.
void Workbench::open_run(const RunRequest& request, Session& session) {
    if (request.save)
        runs_.save(session);
    else if (request.has_checkpoint)
        runs_.open(request.folder, find_, request.run);
    else
        files_.open_file(request.folder / "config.toml", session, find_);
}

void Workbench::answer(const HandbookRequest& request, Session& session) {
    if (!request.preset.empty() && chooser_.open_preset(request.preset, session))
        files_.toasts().add("Opened " + title(session) + ". " + request.notice);
    if (request.copied.empty()) return;
    ImGui::SetClipboardText(request.copied.c_str());
    files_.toasts().add(request.notice);
}

void Workbench::open_cell(const CellRequest& request, Session& session) {
    runs_.leave(session, files_.toasts(), "Open the cell " + request.label,
                [this, request](Session& with, Toasts& toasts) {
                    try {
                        with.load(*request.experiment, request.settings);
                    } catch (const InputError& error) {
                        with.report(error.what());
                        return;
                    }
                    const std::string& back = runs_.way_back();
                    toasts.add(fmt::format("Opened the cell {}.{}", request.label,
                                           back.empty() ? "" : " " + back + "."));
                });
}

void Workbench::keep(const BookmarkRequest& request, Session& session) {
    using Kind = BookmarkRequest::Kind;
    if (request.kind == Kind::add)
        preferences_.bookmarks[request.name] = state_text(session, view_values());
    else if (request.kind == Kind::open)
        files_.open_text(preferences_.bookmarks[request.name], session, find_, request.name);
    else
        act(request.kind == Kind::copy ? Action::copy_state : Action::paste_state, session);
}

bool Workbench::needs_frame(const Session& session) const {
    return files_.needs_frame() || session.banner_is_stale(seconds_now()) ||
           runs_.due(session, preferences_.autosave_seconds, seconds_now()) ||
           phase_diagram_.due(seconds_now());
}

}  // namespace emergence
