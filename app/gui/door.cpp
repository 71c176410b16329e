#include "app/gui/door.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// If there are more seeds than networks in the start weights, the seeds are reduced. Returns a sentence about it, or
// "".
std::string lower_seeds(const ExperimentInfo& info, Settings& settings) {
    const FieldInfo* seeds = settings.field(FieldRole::seed_count);
    const auto possible = [&](const Settings& with) {
        try {
            if (info.check) info.check(with);
            return true;
        } catch (const InputError&) {
            return false;
        }
    };
    if (seeds == nullptr || possible(settings)) return "";
    Settings tried = settings;
    int64_t most = 0, beyond = settings.integer(seeds->name);
    while (beyond - most > 1) {
        const int64_t middle = most + (beyond - most) / 2;
        tried.set(seeds->name, middle);
        (possible(tried) ? most : beyond) = middle;
    }
    if (most == 0) return "";  // the fault is another one
    settings.set(seeds->name, most);
    return fmt::format("It holds {}, so that many seeds train", counted(most, "network"));
}

bool takes_the_place(const Opening& opening) { return opening.kind != OpeningKind::sweep; }

}  // namespace

Door::Door(const Rooms& rooms) : rooms_(rooms), find_(find_experiment) {}

void Door::open(const std::vector<fs::path>& paths, Session& session, bool beside, size_t lesson_step) {
    std::vector<Opening> found;
    for (const fs::path& path : paths)
        session.attempt([&] { found.push_back(opening_at(fs::absolute(path).lexically_normal())); });
    bool run = beside, sweep = false;
    std::string left_out;
    for (const Opening& opening : found) {
        if (opening.kind == OpeningKind::lesson) {
            rooms_.asks(ask::BeginLesson{opening.path, lesson_step});
            note_recent(opening.path);
            continue;
        }
        bool& taken = takes_the_place(opening) ? run : sweep;
        if (!taken)
            taken = let_in(opening, session);
        else if (opening.kind == OpeningKind::run)
            rooms_.runs_panel.overlay(opening.path, session, rooms_.asks);
        else
            left_out += (left_out.empty() ? "" : ", ") + opening.name;
    }
    if (!left_out.empty())
        session.report("Not opened: " + left_out +
                           ". The window holds one run and one sweep; open the others "
                           "one by one.",
                       Session::kAnswerStays);
}

bool Door::let_in(const Opening& opening, Session& session, const std::string& notice) {
    const auto take = [&] {
        if (opening.kind == OpeningKind::run) {
            rooms_.runs.open(opening.path, find_);
            rooms_.runs_panel.use(opening.path.parent_path(), find_);
        } else if (opening.kind == OpeningKind::sweep) {
            rooms_.sweeps.open_sweep(opening.path);
        } else if (opening.kind == OpeningKind::weights &&
                   (session.settings().field(FieldRole::start_weights) != nullptr || !opening.settings)) {
            start_from_weights(opening.path, session.settings(), session);
        } else {
            const PresentSettings present{session.info(), session.settings()};
            if (opening.experiment) with_figures_.push_back(opening.experiment);
            const FindExperiment find = opening.experiment
                                            ? FindExperiment([&opening](const std::string&) -> const ExperimentInfo& {
                                                  return *opening.experiment;
                                              })
                                            : find_;
            const bool titled = opening.kind == OpeningKind::preset && !opening.settings->title.empty();
            const std::string name = titled ? opening.settings->title : opening.name;
            Arrival arrival{"Opened " + name, notice, starting_point(*opening.settings, find, &present),
                            opening.settings, opening.kind == OpeningKind::preset ? opening.name : ""};
            if (opening.experiment) arrival.opened += ": its first run trains, and Export… makes the figure";
            if (arrival.start.step)
                arrival.opened += fmt::format(": goes to step {} and pauses there", *arrival.start.step);
            enter(std::move(arrival), session);
        }
        if (opening.kind != OpeningKind::preset && !opening.path.empty()) note_recent(opening.path);
    };
    return session.attempt(take, opening.kind == OpeningKind::text ? Session::kAnswerStays : 0.0);
}

void Door::enter(Arrival arrival, Session& session) {
    const bool again = !arrival.preset.empty() && arrival.preset == rooms_.chooser.preset(session);
    if (!again && session.would_go_on(*arrival.start.experiment, arrival.start.settings, arrival.start.step)) {
        arrive(arrival, "", session);
        return;
    }
    rooms_.runs.leave(session, rooms_.toasts,
                      [this, what = std::move(arrival)](Session& with, Toasts&, const std::string& way_back) {
                          arrive(what, way_back, with);
                      });
}

void Door::arrive(const Arrival& arrival, const std::string& way_back, Session& session) {
    session.attempt([&] {
        if (&session.info() != arrival.start.experiment)
            remember(rooms_.preferences, session.info().name, session.settings());
        const bool again = !arrival.preset.empty() && arrival.preset == rooms_.chooser.preset(session);
        const bool over = session.would_go_on(*arrival.start.experiment, arrival.start.settings, arrival.start.step) &&
                          session.live_snapshot() && session.live_snapshot()->status.state == RunState::finished;
        session.load(*arrival.start.experiment, arrival.start.settings, arrival.start.step);
        // A user who chooses a preset wants to see it train, even if it has just finished. Choosing the open preset
        // again restores its first state with its own pictures on stage.
        if (again) {
            rooms_.preferences.stagings.erase(arrival.preset);
            session.set_running(true);
            session.reset();
        } else if (!arrival.preset.empty() && (over || !session.wants_to_run())) {
            session.toggle_running();
        }
        show_next_as(arrival.start.view);
        if (arrival.file) rooms_.chooser.was_opened_from(*arrival.file, session, arrival.preset);
        std::string said = arrival.opened;
        for (const std::string& more : {way_back, arrival.notice})
            if (!more.empty()) said += ". " + more;
        rooms_.toasts.add(said);
    });
}

void Door::open_text(const std::string& text, const std::string& name, Session& session) {
    session.attempt([&] { let_in(opening_of_text(text, name), session); }, Session::kAnswerStays);
}

void Door::open_preset(const std::string& name, Session& session, const std::string& notice) {
    session.attempt([&] { let_in(opening_of_preset(name), session, notice); });
}

void Door::open_experiment(const ExperimentInfo& info, Session& session) {
    StartingPoint start{&info, Settings(info.fields), {}, {}};
    recall(rooms_.preferences, info.name, start.settings);
    enter({"Opened " + info.title, "", std::move(start), {}, ""}, session);
}

void Door::open_run(const ask::OpenRun& wanted, Session& session) {
    if (!wanted.has_checkpoint) return open({wanted.folder / "config.toml"}, session);
    rooms_.runs.open(wanted.folder, find_, wanted.run);
    note_recent(wanted.folder);
}

void Door::open_cell(const ask::OpenCell& cell, Session& session) {
    enter({"Opened the cell " + cell.label, "", {cell.experiment, cell.settings, {}, {}}, {}, ""}, session);
}

void Door::start_from_weights(const fs::path& file, Settings settings, Session& session) {
    const std::string name = file.filename().string();
    if (session.settings().field(FieldRole::start_weights) == nullptr)
        throw InputError(name + ": holds weights without settings, and " + session.info().title +
                         " does not begin with weights. Open an experiment that does, then this file.");
    StartingPoint start{&session.info(), std::move(settings), {}, {}};
    start.settings.set(FieldRole::start_weights, fs::absolute(file).lexically_normal().string());
    const std::string notice = lower_seeds(session.info(), start.settings);
    enter({"Trains from the weights in " + name, notice, std::move(start), {}, ""}, session);
}

// The last opened file comes first.
void Door::note_recent(const fs::path& path) {
    std::vector<std::string>& recent = rooms_.preferences.recent;
    const std::string text = path.string();
    if (!is_utf8(text)) return;  // preferences hold only UTF-8
    std::erase(recent, text);
    recent.insert(recent.begin(), text);
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

}  // namespace emergence
