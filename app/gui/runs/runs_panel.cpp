#include "app/gui/runs/runs_panel.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/gui/exports/export_order.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/study.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// True if the text contains every word of the search.
bool has_words(const std::string& text, const std::string& search) {
    const std::string in = small_letters(text), words = small_letters(search);
    for (size_t from = 0; from < words.size();) {
        const size_t end = std::min(words.find(' ', from), words.size());
        if (in.find(words.substr(from, end - from)) == std::string::npos) return false;
        from = end + 1;
    }
    return true;
}

}  // namespace

void RunsPanel::use(fs::path folder, FindExperiment find) {
    folder_ = folder.string();
    find_ = std::move(find);
}

void RunsPanel::open_beside(const fs::path& run) {
    if (!run.empty() && run_ != run) folder_ = run.parent_path().string();
    run_ = run;
    show();
    list_.follow(folder_, find_);
}

void RunsPanel::close() {
    Sheet::close();
    list_.stop();
}

std::vector<fs::path> RunsPanel::listed() const {
    std::vector<fs::path> folders;
    for (const Row& row : rows_) folders.push_back(row.run->folder);
    return folders;
}

// The most telling scores come first. A score that the user has chosen stays while it exists.
void RunsPanel::choose_scores() {
    std::set<std::string> names;
    score_labels_.clear();
    for (const ListedRun& run : *built_.runs)
        for (const auto& [name, summary] : run.scores) {
            names.insert(name);
            const auto label = run.score_labels.find(name);
            score_labels_.emplace(name, label == run.score_labels.end() ? name : label->second);
        }
    static const char* const kFirst[] = {
        "implicit_weight_similarity", "msve", "v_emergence", "distance", "regret", "loss"};
    for (size_t i = 0; i < kScores; ++i) {
        std::string& chosen = wanted_.scores[i];
        const auto taken = [&](const std::string& name) { return i > 0 && wanted_.scores[0] == name; };
        if (names.count(chosen) != 0) continue;
        chosen.clear();
        for (const char* name : kFirst)
            if (chosen.empty() && names.count(name) != 0 && !taken(name)) chosen = name;
        for (const std::string& name : names)
            if (chosen.empty() && !taken(name)) chosen = name;
    }
    built_.scores = wanted_.scores;
}

// The label in legends. If two scores share it, the name is added.
std::string RunsPanel::score_label(const std::string& name) const {
    const auto found = score_labels_.find(name);
    if (found == score_labels_.end()) return name;
    const auto same = count_if(score_labels_, [&](const auto& one) { return one.second == found->second; });
    return same > 1 ? found->second + " (" + name + ")" : found->second;
}

void RunsPanel::rebuild() {
    // A run that is saved anew moves no row from under the pointer.
    const std::shared_ptr<const WatchedRuns::Runs> now = list_.runs();
    if (!pointer_over_ || !now || !wanted_.runs || now->size() != wanted_.runs->size()) wanted_.runs = now;
    forget_written_marks();
    if (wanted_ == built_) return;
    built_ = wanted_;
    rows_.clear();
    if (!built_.runs) return;
    choose_scores();
    std::vector<const ListedRun*> all;
    for (const ListedRun& run : *built_.runs) all.push_back(&run);
    const std::vector<std::string> differences = differences_of(all);
    for (size_t i = 0; i < all.size(); ++i) {
        const auto changed = built_.marks.find(all[i]->folder);
        const RunMark& mark = changed == built_.marks.end() ? all[i]->mark : changed->second;
        const std::string text =
            all[i]->folder.string() + " " + mark.name + " " + all[i]->experiment + " " + differences[i];
        if (has_words(text, built_.search)) rows_.push_back({all[i], mark, differences[i]});
    }
    const auto key = columns()[built_.column].key;
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
        const auto x = key(a), y = key(b);
        if (std::isnan(x.first) || std::isnan(y.first)) return !std::isnan(x.first) && std::isnan(y.first);
        return built_.ascending ? x < y : y < x;
    });
}

const RunsPanel::Row* RunsPanel::selected_row() const {
    for (const Row& row : rows_)
        if (row.run->folder == selected_) return &row;
    return nullptr;
}

const ListedRun* RunsPanel::selected() const {
    const Row* row = selected_row();
    return row == nullptr ? nullptr : row->run;
}

// ---- names and stars

// Drops changed marks that the list has read back.
void RunsPanel::forget_written_marks() {
    if (wanted_.marks.empty() || !wanted_.runs) return;
    for (const ListedRun& run : *wanted_.runs) {
        const auto changed = wanted_.marks.find(run.folder);
        if (changed != wanted_.marks.end() && changed->second == run.mark) wanted_.marks.erase(changed);
    }
}

void RunsPanel::mark(const ListedRun& run, RunMark mark) {
    wanted_.marks[run.folder] = mark;
    jobs_.post(
        Lane::runs, [folder = run.folder, mark = std::move(mark)](const Jobs::Task&) { write_run_mark(folder, mark); },
        [] {}, AtClosing::done);
}

// ---- drawn beside the present run

bool RunsPanel::reads_any() const {
    return any_of(readings_, [](const Reading& reading) { return reading.job.active(); });
}

void RunsPanel::start_reading(const fs::path& folder, Use wanted, Asks& asks) {
    std::erase_if(readings_, [](const Reading& reading) { return !reading.job.active(); });
    readings_.push_back(
        {folder, wanted,
         jobs_.post(
             Lane::overlays, [folder, with = find_](const Jobs::Task&) { return overlaid_run(folder, with); },
             [wanted, &asks](const std::shared_ptr<const OverlaidRun>& run) { asks(wanted(run)); })});
}

bool RunsPanel::is_overlaid(const Session& session, const fs::path& folder) {
    const auto& overlays = session.overlays();
    return any_of(overlays, [&](const auto& one) { return one->folder == folder; });
}

void RunsPanel::toggle_overlay(const fs::path& folder, const Context& context) {
    if (is_overlaid(context.session, folder))
        context.asks(ask::Uncover{folder});
    else
        overlay(folder, context.session, context.asks);
}

void RunsPanel::overlay(const fs::path& folder, const Session& session, Asks& asks) {
    const Use overlays_it = made_of<ask::Overlay>;
    const bool coming = any_of(readings_, [&](const Reading& reading) {
        return reading.folder == folder && reading.wanted == overlays_it && reading.job.active();
    });
    if (!coming && !is_overlaid(session, folder)) start_reading(folder, overlays_it, asks);
}

}  // namespace emergence
