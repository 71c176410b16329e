#include "app/gui/run_desk.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "app/gui/clock.h"
#include "app/gui/panels/panel.h"
#include "app/gui/widgets/widget_log.h"
#include "core/base/error.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

enum TaskId { kLook, kOpen, kKeep, kSave, kQuiet };

constexpr double kLongestFinish = 5.0;  // seconds
constexpr double kAskAgain = 10.0;      // seconds after which an answer is no longer expected

}  // namespace

RunDesk::RunDesk(std::function<void()> on_change) : worker_(std::move(on_change)) {}

void RunDesk::start(int id, std::function<FileReport(Result&)> task) {
    results_.push_back(std::make_shared<Result>());
    worker_.start(id, [into = results_.back(), work = std::move(task)](const auto&) { return work(*into); });
}

void RunDesk::use(fs::path runs, FindExperiment find) {
    runs_ = std::move(runs);
    find_ = std::move(find);
    start(kLook, [look_in = runs_, with = find_](Result& result) {
        FileReport report;
        for (const fs::path& folder : interrupted_runs(look_in)) try {
                result.runs.push_back(run_in(folder, with));
            } catch (const std::exception& error) {
                // It can never be offered; what there is stays.
                decline_run(folder);
                report.failures.push_back(
                    fmt::format("A run was interrupted and cannot be gone on with: {}", error.what()));
            }
        return report;
    });
}

void RunDesk::began_with(const RunToOpen& run) {
    next_from_ = run.checkpoint;
    if (!runs_.empty() && run.folder.parent_path() == runs_) next_folder_ = RunFolder::claim(run.folder);
}

// ---- keeping

void RunDesk::leave_folder() {
    if (folder_)
        start(kQuiet, [folder = folder_](Result&) {
            folder->close();
            return FileReport{};
        });
    folder_.reset();
    written_to_.clear();
}

// Another run has another folder: one of its own, or that which it goes on with.
void RunDesk::follow_run(const Session& session, double now) {
    const auto& live = session.live_snapshot();
    if (!live || live->run_number == run_number_) return;
    run_number_ = live->run_number;
    leave_folder();
    kept_step_ = -1;
    asked_ = keep_ = false;
    began_at_ = asked_at_ = now;
    if (!next_from_) return;
    // A restart that was asked for meanwhile has begun anew.
    const int64_t step = next_from_->settings.step.value_or(0);
    if (live->step >= step) {
        folder_ = std::move(next_folder_);
        if (folder_) written_to_ = folder_->path();
        kept_step_ = step;
    } else if (next_folder_) {
        next_folder_->close();
    }
    next_folder_.reset();
    next_from_.reset();
}

bool RunDesk::due(const Session& session, double interval, double now) const {
    const auto& live = session.live_snapshot();
    if (runs_.empty() || !(interval > 0.0) || !live || !session.study()) return false;
    if (live->run_number != run_number_ || live->step <= kept_step_ || live->step == 0) return false;
    if (asked_ && now - asked_at_ < kAskAgain) return false;
    return now - asked_at_ >= interval;
}

void RunDesk::turn(Session& session, Toasts& toasts, double interval, double now) {
    take_reports(session, toasts);
    follow_run(session, now);
    if (due(session, interval, now)) {
        asked_ = true;
        asked_at_ = now;
        session.ask_for_state();
    }
    if (auto saved = session.take_saved(); saved && saved->moment.run_number == run_number_)
        write(session, std::move(saved));
}

void RunDesk::write(const Session& session, std::shared_ptr<const SavedRun> saved) {
    asked_ = false;
    kept_step_ = saved->state.step;
    const bool keep = std::exchange(keep_, false);
    if (!folder_) folder_ = std::make_shared<RunFolder>(runs_);
    start(keep ? kSave : kKeep,
          [folder = folder_, state = std::move(saved), keep, history = session.history()](Result& result) {
              FileReport report;
              report.written = folder->write(*state, history, keep);
              result.written_to = folder->path();
              return report;
          });
}

void RunDesk::save(Session& session) {
    if (runs_.empty()) {
        session.report(
            "The run cannot be saved: no folder for runs is known (started without preferences, or "
            "without a home folder).");
        return;
    }
    if (!session.study()) return;
    keep_ = asked_ = true;
    asked_at_ = seconds_now();
    session.ask_for_state();
}

void RunDesk::finish(Session& session) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLongestFinish);
    const auto wait = [&until](const auto& ready) {
        while (!ready() && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    if (folder_) {
        session.ask_for_state();
        std::shared_ptr<const SavedRun> saved;
        wait([&] {
            session.update();
            saved = session.take_saved();
            return saved != nullptr;
        });
        if (saved && saved->moment.run_number == run_number_) write(session, std::move(saved));
    }
    leave_folder();
    wait([this] { return !worker_.progress(); });
}

// ---- reading

void RunDesk::open(const fs::path& folder, const FindExperiment& find, std::optional<bool> run) {
    const bool is_ours = !runs_.empty() && folder.parent_path() == runs_;
    start(kOpen, [folder, is_ours, run, with = find](Result& result) {
        result.runs = {run_in(folder, with)};
        result.run = run;
        if (is_ours) result.folder = RunFolder::claim(folder);
        return FileReport{};
    });
}

void RunDesk::answer(bool go_on) {
    if (offers_.empty()) return;
    const fs::path folder = offers_.front().folder;
    offers_.pop_front();
    if (go_on)
        open(folder, find_);
    else
        start(kQuiet, [folder](Result&) {
            decline_run(folder);
            return FileReport{};
        });
}

void RunDesk::resume(Session& session, Toasts& toasts, Result& result) {
    const RunToOpen& run = result.runs.front();
    if (!run.notice.empty()) session.report(run.notice);
    next_from_ = run.checkpoint;
    next_folder_ = std::move(result.folder);
    session.resume(*run.experiment, run.settings, run.checkpoint, result.run);
    toasts.add(fmt::format("{} {} at step {}", result.run == false ? "Opened" : "Goes on with",
                           run.folder.filename().string(), run.checkpoint->settings.step.value_or(0)));
}

// Trouble that goes on is said once.
void RunDesk::say(Session& session, const std::string& trouble) {
    if (std::exchange(trouble_, trouble) != trouble && !trouble.empty()) session.report(trouble);
}

void RunDesk::take_reports(Session& session, Toasts& toasts) {
    for (const ExportWorker::Done& done : worker_.take_reports()) {
        const std::shared_ptr<Result> result = results_.front();
        results_.pop_front();
        const std::vector<std::string>& failures = done.report.failures;
        const bool writes = done.id == kKeep || done.id == kSave;
        if (done.id == kLook) offers_.assign(result->runs.begin(), result->runs.end());
        if (done.id == kKeep)
            say(session, failures.empty() ? "" : "The run is not kept: " + failures.front());
        else
            for (const std::string& failure : failures) session.report(failure);
        if (writes && !failures.empty()) kept_step_ = -1;
        if (!failures.empty()) continue;
        if (done.id == kOpen) resume(session, toasts, *result);
        if (writes && folder_) written_to_ = result->written_to;
        if (done.id == kSave)
            toasts.add(fmt::format("Saved the run as {}", result->written_to.filename().string()),
                       result->written_to.string());
    }
}

// ---- the offer

namespace {

std::string when_text(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    const std::time_t at = std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
    std::tm local{};
    ::localtime_r(&at, &local);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return text;
}

}  // namespace

void RunDesk::draw(const Ui& ui, const Box& area) {
    if (offers_.empty()) return;
    const RunToOpen& run = offers_.front();
    ImGui::SetNextWindowPos({area.min.x + area.size.x / 2, area.max().y - ui.px(12)}, ImGuiCond_Always,
                            {0.5F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.accent);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin("offer", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(
        offers_.size() == 1
            ? "A run was interrupted. Go on with it?"
            : fmt::format("{} runs were interrupted. Go on with the last one?", offers_.size()).c_str());
    ImGui::PopFont();
    ImGui::TextUnformatted(fmt::format("{}, {} seed{}, step {}, kept {}", run.experiment->title,
                                       run.checkpoint->seeds.size(),
                                       run.checkpoint->seeds.size() == 1 ? "" : "s",
                                       run.checkpoint->settings.step.value_or(0), when_text(run.saved_at))
                               .c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", run.folder.filename().c_str());
    ImGui::PopFont();
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    if (ui.log != nullptr) ui.log->record("panel offer", at, {at.x + size.x, at.y + size.y});
    const bool go_on = draw_button(ui, "offer go on", "Go on", {ui.px(120), 0.0F},
                                   "In place of the present run: the same settings, weights and random "
                                   "numbers, as if it had never stopped.",
                                   true);
    ImGui::SameLine();
    const bool leave = draw_button(ui, "offer leave", "Not now", {ui.px(120), 0.0F},
                                   "Its folder stays, and it is not offered again.");
    ImGui::End();
    if (go_on || leave) answer(go_on);
}

}  // namespace emergence
