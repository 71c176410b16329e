#include "core/lab/trainer/mailboxes.h"

#include <cmath>
#include <iterator>

namespace emergence {

std::vector<Command> without_superseded(std::vector<Command> commands) {
    std::vector<Command> kept;
    bool replaced = false;
    for (auto command = commands.rbegin(); command != commands.rend(); ++command) {
        const bool is_restart = std::holds_alternative<Restart>(*command);
        if (std::holds_alternative<SetLive>(*command)) replaced = false;
        if (!(is_restart && replaced)) kept.push_back(std::move(*command));
        if (is_restart) replaced = true;
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

void Inbox::push(Command command) {
    {
        const auto lock = meter_.lock(mutex_);
        commands_.push_back(std::move(command));
    }
    came_.notify_one();
}

void Inbox::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    came_.notify_one();
}

bool Inbox::closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
}

std::vector<Command> Inbox::drain() {
    std::vector<Command> all;
    const std::lock_guard lock(mutex_);
    all.swap(commands_);
    return all;
}

void Inbox::wait(double seconds) {
    if (seconds <= 0.0) return;
    std::unique_lock lock(mutex_);
    const auto something = [this] { return closed_ || !commands_.empty(); };
    if (std::isfinite(seconds))
        came_.wait_for(lock, std::chrono::duration<double>(seconds), something);
    else
        came_.wait(lock, something);
}

void Outbox::begin_run(uint64_t run_number, std::shared_ptr<const Study> study, std::vector<MetricRow> rows,
                       std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments,
                       std::optional<LeftRun> left) {
    std::vector<std::vector<MetricRow>> all_rows;
    all_rows.push_back(std::move(rows));
    std::shared_ptr<const SavedRun> none;
    const std::lock_guard lock(mutex_);
    run_number_ = run_number;
    if (left) {
        left->rows.swap(rows_);
        left_.push_back(*std::move(left));
    }
    // Swap, so that the data of the old run are freed with the arguments, after the lock.
    study_.swap(study);
    saved_.swap(none);
    rows_.swap(all_rows);
    snapshot_.swap(snapshot);
    moments_.swap(moments);
}

void Outbox::push(std::vector<MetricRow> rows) {
    if (rows.empty()) return;
    const std::lock_guard lock(mutex_);
    rows_.push_back(std::move(rows));
}

bool Outbox::has_snapshot() {
    const std::lock_guard lock(mutex_);
    return snapshot_ != nullptr;
}

void Outbox::publish(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments) {
    const std::lock_guard lock(mutex_);
    snapshot_.swap(snapshot);
    if (moments) moments_.swap(moments);
}

void Outbox::save(std::shared_ptr<const SavedRun> saved) {
    const std::lock_guard lock(mutex_);
    saved_.swap(saved);
}

void Outbox::notify(Notice notice) {
    const std::lock_guard lock(mutex_);
    if (notices_.empty() || notices_.back().text != notice.text) notices_.push_back(std::move(notice));
}

Published Outbox::take() {
    Published published;
    std::vector<std::vector<MetricRow>> rows;
    {
        const auto lock = meter_.lock(mutex_);
        published.snapshot = std::exchange(snapshot_, nullptr);
        published.moments = std::exchange(moments_, nullptr);
        published.run_number = run_number_;
        published.study = study_;
        published.saved = std::exchange(saved_, nullptr);
        published.left.swap(left_);
        rows.swap(rows_);
    }
    for (auto& some : rows)
        published.rows.insert(published.rows.end(), std::make_move_iterator(some.begin()),
                              std::make_move_iterator(some.end()));
    return published;
}

std::vector<Notice> Outbox::take_notices() {
    std::vector<Notice> notices;
    const auto lock = meter_.lock(mutex_);
    notices.swap(notices_);
    return notices;
}

}  // namespace emergence
