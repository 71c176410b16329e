#include "core/lab/trainer/inbox.h"

#include <algorithm>
#include <chrono>
#include <cmath>

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

}  // namespace emergence
