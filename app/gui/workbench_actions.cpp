// How keys and buttons reach the commands, and what lies on top of the panels.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/commands/command.h"
#include "app/gui/panels/matrix_look.h"
#include "app/gui/session/state_text.h"
#include "app/gui/widgets/field_labels.h"
#include "app/gui/workbench.h"
#include "app/handbook/glossary.h"
#include "app/handbook/retired.h"
#include "app/lessons/lesson_files.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/runs/describe_run.h"

namespace emergence {
namespace {

// None if the assets are not found, which the list of experiments says.
std::vector<PresetInfo> known_presets() {
    try {
        return presets_in(assets_folder());
    } catch (const std::runtime_error&) {
        return {};
    }
}

// What can be brought on stage.
struct Picture {
    std::string id, title, help;
};

std::vector<Picture> pictures_of(const Session& session) {
    std::vector<Picture> pictures;
    if (!session.snapshot() || !session.study()) return pictures;
    for (const MetricPlot& plot : session.study()->metric_plots()) pictures.push_back({plot.id, plot.title, plot.note});
    for (const PlotSpec& plot : session.snapshot()->plots) pictures.push_back({plot.id, plot.title, plot.note});
    for (const NamedMatrix& matrix : session.snapshot()->matrices)
        pictures.push_back({matrix.name, picture_name(matrix), matrix.help});
    return pictures;
}

}  // namespace

Layers Workbench::layers_of(Workbench& w) {
    std::vector<Layer> layers;
    for (Sheet* sheet : w.sheets_)
        layers.push_back(
            {sheet->name(), [sheet] { return sheet->is_open(); }, [sheet] { sheet->close(); }, sheet->is_modal()});
    return Layers(std::move(layers));
}

// After everything is drawn: what was opened or clicked in this frame is on top.
void Workbench::follow_layers() {
    layers_.follow();
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left) || popup_open_) return;
    const ImGuiWindow* under = ImGui::GetCurrentContext()->HoveredWindow;
    layers_.clicked(under != nullptr ? under->RootWindow->Name : "");
}

void Workbench::press(const KeyPress& key, Session& session) {
    if (answers_lesson(key, session)) return;
    const WindowCommand* pressed = command_for({key.key, key.modifiers});
    if (pressed == nullptr && !key.typing && !editing_.typing() && !key.repeated)
        if (const std::string_view said = handbook::said_of_retired(name_of_key(key.key, key.modifiers)); !said.empty())
            toasts_.add(std::string(said));
    if (pressed == nullptr || (key.repeated && !pressed->repeats)) return;
    // A list that is searched by words is still closed by Esc, and walked through.
    const bool of_list = popup_open_ && !editing_.typing() &&
                         (pressed->action == Action::close_overlay || pressed->action == Action::press_control);
    if ((key.typing || editing_.typing()) && pressed->reach != Reach::typing && !of_list) return;
    layers_.follow();
    if (handbook_.act(pressed->action)) return;
    if (pressed->reach == Reach::panels && (popup_open_ || layers_.top() != nullptr)) return;
    act(pressed->action, session);
}

std::string Workbench::why_not(Action action, const Session& session) const {
    const WindowCommand& one = command(action);
    return one.why_not != nullptr ? one.why_not(*this, session) : "";
}

void Workbench::act(Action action, Session& session) {
    if (why_not(action, session).empty()) command(action).act(*this, session);
}

void Workbench::close_top() {
    if (popup_open_) {
        close_popups_ = true;
        return;
    }
    layers_.follow();
    if (layers_.top() != nullptr && layers_.close_top()) return;
    const bool presenting = preferences_.look.presenting;  // Esc ends it before it undoes what is hidden there
    if (files_.film().active())
        files_.film().stop();
    else if (!presenting && tour_)
        put_tour_off();
    else if (term_card_.dismiss())
        preferences_.terms = term_card_.known();
    else if (timing_open_)
        timing_open_ = false;
    else if (walk_.leave() || editing_.leave() || (!presenting && matrices_.deselect()) || layers_.close_top())
        return;
    else if (presenting)
        preferences_.look.presenting = false;
    else {
        matrices_.show_all_seeds();
        stage_.send_back();
    }
}

// ---- what single commands do

void Workbench::scale_by(int tenths) {
    // A larger number without larger type would have to be taken back first.
    if (tenths > 0 && scale_ >= largest_scale(look().presenting, ImGui::GetIO().DisplaySize)) {
        toasts_.add("Type is as large as this window has room for");
        return;
    }
    const float wanted = std::round(look().ui_scale * 10.0F) + static_cast<float>(tenths);
    preferences_.look.ui_scale = std::clamp(wanted / 10.0F, kSmallestUiScale, kLargestUiScale);
}

void Workbench::film_or_stop(Session& session) {
    if (files_.film().active()) return files_.film().stop();
    try {
        files_.film().begin(session, files_.folder(), settings_in_screenshot(session, view_values()));
    } catch (const std::runtime_error& error) {
        session.report(error.what(), Session::kAnswerStays);
    }
}

void Workbench::toggle_export(Session& session) {
    const ask::Export on_stage = stage_.to_export(session);
    const bool one_plot = on_stage.kind == FigureChoice::Kind::plot && !files_.export_panel().is_open();
    if (one_plot)
        answer(on_stage, session);
    else
        files_.export_panel().toggle(session);
}

// A setting takes the keys that change it.
void Workbench::press_control(const Session& session) {
    if (session.settings().has(walk_.name()) && !preferences_.look.presenting)
        settings_.show(walk_.name());
    else
        walk_.press();
}

// Of the setting that has the keys; where none has them, of what leads through the picture.
void Workbench::adjust(int steps, Session& session) {
    if (editing_.has_keys()) {
        editing_.adjust(steps);
        return;
    }
    if (!session.snapshot()) return;
    const Stepping& through = session.snapshot()->stepping;
    if (through.field.empty() || !session.settings().has(through.field)) return;
    const int64_t now = std::clamp(session.settings().integer(through.field), through.first, through.last);
    session.set_field(through.field, std::clamp(now + steps, through.first, through.last));
    session.end_gesture();
}

// What stands on the stage comes first.
void Workbench::describe_pictures(const Session& session) {
    if (description_.is_open()) return description_.close();
    if (!session.snapshot()) return;
    const Snapshot& snapshot = *session.snapshot();
    std::vector<std::string> order = stage_.places().stage;
    order.insert(order.end(), stage_.places().wings.begin(), stage_.places().wings.end());
    description_.open_with(describe_run(session.info(), snapshot, shown_panels(session), order),
                           fmt::format("{} {}", snapshot.step, snapshot.step_unit));
    ImGui::SetClipboardText(text_of(description_.said()).c_str());
    toasts_.add("The clipboard holds the description");
}

void Workbench::open_handbook(const std::string& link) { handbook_.open_at(link); }

// The term under the pointer is explained at once, wherever the handbook was left.
void Workbench::toggle_handbook() {
    const handbook::Term* term = terms_.term();
    preferences_dialog_.close();
    palette_.close();
    if (term != nullptr)
        open_handbook(term->page);
    else if (handbook_.is_open())
        handbook_.close();
    else
        open_handbook("");
}

SettingsPanel& Workbench::show_settings() {
    preferences_.look.presenting = false;
    settings_open() = true;
    return settings_;
}

// What a presentation keeps can be walked through too.
void Workbench::next_setting(int way) {
    if (!look().presenting) settings_open() = true;
    editing_.move(way);
}

// ---- the palette

std::vector<PaletteEntry> Workbench::palette_entries(const Session& session) {
    std::vector<PaletteEntry> entries;
    for (const WindowCommand& one : commands())
        if (one.in_palette)
            entries.push_back({"command", one.label, one.help, one.keys, why_not(one.action, session), one.action});
    for (const PresetInfo& preset : known_presets()) {
        const std::string of = preset.problem.empty() ? find_experiment(preset.experiment).title : "";
        entries.push_back({"preset",
                           preset.title,
                           preset.description,
                           "",
                           preset.problem,
                           ask::OpenPreset{preset.name, ""},
                           {},
                           preset.name,
                           of});
    }
    entries.push_back({"export", "Slide of the stage", "the pictures on the stage, for a slide or a paper", "", "",
                       ask::Export{FigureChoice::Kind::stage}});
    for (const auto& [id, title, help] : pictures_of(session))
        entries.push_back({"picture", title, help, "", "", ask::Bring{{id}}, {}, id});
    for (const FieldInfo& field : session.settings().fields())
        entries.push_back({"setting",
                           field.label,
                           help_in_words(field),
                           "",
                           "",
                           ask::ShowSetting{field.name},
                           {},
                           in_words(field.name)});
    for (const auto& [link, title, page] : handbook_.entries())
        entries.push_back({"handbook", title, page, "", "", ask::ShowHandbook{link}});
    for (const handbook::Term& one : handbook::glossary())
        entries.push_back({"term", one.word, one.definition, "", "", ask::ShowHandbook{one.page}});
    for (const LessonInfo& one : shipped_lessons())
        entries.push_back({"lesson", one.title, one.description, "", "", ask::TakeLesson{one.name}, {}, one.name});
    for (const std::string& path : preferences_.recent)
        entries.push_back({"recent", std::filesystem::path(path).filename().string(), path, "", "", ask::Open{{path}}});
    return entries;
}

}  // namespace emergence
