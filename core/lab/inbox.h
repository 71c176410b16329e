#pragma once
// Commands on their way to the trainer.

#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/lab/command.h"
#include "core/lab/lock_meter.h"

namespace emergence {

/// The commands that still have to be obeyed: a Restart is left out where a later one replaces what it would
/// make. A SetLive between two of them keeps the first, because it may name a field of that run.
std::vector<Command> without_superseded(std::vector<Command> commands);

/// A queue from any thread to the trainer's. Loses nothing.
class Inbox {
  public:
    explicit Inbox(LockMeter& meter) : meter_(meter) {}

    void push(Command command);
    /// No more waiting: the trainer is to end.
    void close();
    bool closed();

    /// Everything that has come, oldest first.
    std::vector<Command> drain();
    /// Returns when a command is there, when closed, or after `seconds` (none: at once; infinite: no limit).
    void wait(double seconds);

  private:
    LockMeter& meter_;  // measures the senders
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Command> commands_;
    bool closed_ = false;
};

}  // namespace emergence
