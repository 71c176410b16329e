// How keys and buttons reach commands, what single commands do, and the palette's entries.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/export/film.h"
#include "app/export/pixel_files.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/matrices.h"
#include "app/gui/session/view_values.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/workbench.h"
#include "app/handbook/glossary.h"
#include "app/lessons/lesson_files.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"

namespace emergence {
namespace {

// Empty without assets; the list of experiments reports that.
std::vector<PresetInfo> known_presets() {
    try {
        return presets_in(assets_folder());
    } catch (const std::runtime_error&) {
        return {};
    }
}

// A picture that can be brought on stage.
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

// Runs after drawing: sheets that were opened or clicked in this frame come to the top.
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
        if (const std::string said = said_of_retired("pressed", name_of_key(key.key, key.modifiers)); !said.empty())
            toasts_.add(said);
    if (pressed == nullptr || (key.repeated && !pressed->repeats)) return;
    // Esc and the arrows also work in a list that has a search field.
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
    const bool presenting = preferences_.look.presenting;  // Esc ends it before what it hides
    if (!presenting && tour_)
        put_tour_off();
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

// Pressing it again stops the film, and nothing is written.
void Workbench::film_or_stop(Session& session) {
    static constexpr int kFrames = 100, kWidth = 1280, kHeight = 720, kHundredths = 10, kLastStands = 200;
    if (filming_.active()) {
        toasts_.add("The film is stopped: nothing is written");
        return filming_.cancel();
    }
    const auto& moments = session.moments().moments();
    if (moments.size() < 2)
        return session.report("There is no time to film yet. Let the run train, then film it", Session::kAnswerStays);
    const auto make = [this, all = std::vector(moments.begin(), moments.end()), study = session.study(),
                       history = session.history(), info = &session.info(), staging = stage_.staging(),
                       config =
                           settings_in_screenshot(session, view_values())](const Jobs::Task& task) -> FileDesk::Made {
        std::vector<FilmMoment> described;
        for (const auto& one : all)
            if (!task.stopping())
                described.push_back(film_moment(*study, *evaluated(*study, one, one->settings), history));
        if (task.stopping()) return {};
        const FilmedRun film(*info, staging, history, std::move(described));
        GifMaker gif(kWidth, kHeight, config);
        const std::vector<size_t> plan = film.plan(kFrames);
        for (size_t at = 0, next = 0; at < plan.size(); at = next) {
            if (task.stopping()) return {};
            while (next < plan.size() && plan[next] == plan[at]) ++next;
            task.tell([this, at] { toasts_.tell_progress(fmt::format("Filming: {} %", 100 * at / kFrames)); });
            const auto shown = static_cast<int>(next - at) * kHundredths;
            gif.add(film.frame(plan[at], kWidth, kHeight), next == plan.size() ? shown + kLastStands : shown);
        }
        return {{"film", gif.finished()}};
    };
    session.attempt([&] { filming_ = files_.write_made(session.info().name, ".gif", make); }, Session::kAnswerStays);
}

void Workbench::toggle_export(Session& session) {
    const ask::Export on_stage = stage_.to_export(session);
    const bool one_plot = on_stage.kind == FigureChoice::Kind::plot && !files_.export_panel().is_open();
    if (one_plot)
        answer(on_stage, session);
    else
        files_.export_panel().toggle(session);
}

// Gives a setting the keys that change it; presses any other control.
void Workbench::press_control(const Session& session) {
    if (session.settings().has(walk_.name()) && !preferences_.look.presenting)
        settings_.show(walk_.name());
    else
        walk_.press();
}

// Changes the focused setting or, without one, the setting that leads through the picture.
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

// The description begins with the stage. A page of the handbook shows it, because there the keys scroll.
void Workbench::describe_pictures(const Session& session) {
    constexpr const char* kPage = "description";
    if (handbook_.is_open() && handbook_.place().page == kPage) return handbook_.close();
    if (!session.snapshot()) return;
    const Snapshot& snapshot = *session.snapshot();
    std::vector<std::string> order = stage_.places().stage;
    order.insert(order.end(), stage_.places().wings.begin(), stage_.places().wings.end());
    const std::vector<Description> said = describe_run(session.info(), snapshot, shown_panels(session), order);
    using Kind = handbook::Block::Kind;
    handbook::Document page{kPage, "Description", {}};
    const auto add = [&](Kind kind, int level, const std::string& text) {
        handbook::Block& block = page.blocks.emplace_back();
        block.kind = kind;
        block.level = level;
        block.spans = {{handbook::Span::Kind::text, text}};
        if (kind == Kind::heading) block.target = handbook::anchor_of(text);
    };
    add(Kind::heading, 1, fmt::format("Description, {} {}", snapshot.step, snapshot.step_unit));
    for (const Description& one : said) {
        add(Kind::heading, 2, one.title);
        for (const std::string& sentence : one.sentences) add(Kind::paragraph, 0, sentence);
    }
    handbook_.open_page(std::move(page));
    ImGui::SetClipboardText(text_of(said).c_str());
    toasts_.add("The clipboard holds the description");
}

// A term under the pointer opens its page, wherever the handbook was left.
void Workbench::toggle_handbook() {
    const handbook::Term* term = terms_.term();
    preferences_dialog_.close();
    palette_.close();
    if (term != nullptr)
        handbook_.open_at(term->page);
    else if (handbook_.is_open())
        handbook_.close();
    else
        handbook_.open_at("");
}

SettingsPanel& Workbench::show_settings() {
    preferences_.look.presenting = false;
    settings_open() = true;
    return settings_;
}

// The controls of a presentation can be focused too.
void Workbench::next_setting(int way) {
    if (!look().presenting) settings_open() = true;
    editing_.move(way);
}

// ---- the palette

std::vector<PaletteEntry> Workbench::palette_entries(const Session& session) {
    std::vector<PaletteEntry> entries;
    const auto add = [&](PaletteEntry entry) { entries.push_back(std::move(entry)); };
    for (const WindowCommand& one : commands())
        if (one.in_palette)
            add({"command", one.label, one.help, one.action, why_not(one.action, session), "", "", one.keys});
    for (const PresetInfo& one : known_presets())
        add({"preset", one.title, one.description, ask::OpenPreset{one.name, ""}, one.problem, one.name,
             one.problem.empty() ? find_experiment(one.experiment).title : ""});
    for (const auto& [id, title, help] : pictures_of(session)) add({"picture", title, help, ask::Bring{{id}}, "", id});
    for (const FieldInfo& field : session.settings().fields())
        add({"setting", field.label, help_in_words(field), ask::ShowSetting{field.name}, "", in_words(field.name)});
    for (const auto& [link, title, page] : handbook_.entries()) add({"handbook", title, page, ask::ShowHandbook{link}});
    for (const handbook::Term& one : handbook::glossary())
        add({"term", one.word, one.definition, ask::ShowHandbook{one.page}});
    for (const LessonInfo& one : shipped_lessons())
        add({"lesson", one.title, one.description, ask::TakeLesson{one.name}, "", one.name});
    for (const std::string& path : preferences_.recent)
        add({"recent", std::filesystem::path(path).filename().string(), path, ask::Open{{path}}});
    return entries;
}

}  // namespace emergence
