#pragma once
// The queue of commands to the trainer.

#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/lab/trainer/command.h"
#include "core/lab/trainer/lock_meter.h"

namespace emergence {

/// The commands without each Restart that a later one makes pointless. A SetLive between the two preserves the first
/// Restart, because it may name a field of that run.
std::vector<Command> without_superseded(std::vector<Command> commands);

/// A lossless queue from any thread to the trainer's thread.
class Inbox {
  public:
    explicit Inbox(LockMeter& meter) : meter_(meter) {}

    void push(Command command);
    /// Ends all waiting, so that the trainer can stop.
    void close();
    bool closed();

    /// Takes all commands, oldest first.
    std::vector<Command> drain();
    /// Waits until a command arrives, the inbox closes, or `seconds` have passed (0: at once; infinite: no limit).
    void wait(double seconds);

  private:
    LockMeter& meter_;  // measures how long senders wait
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Command> commands_;
    bool closed_ = false;
};

}  // namespace emergence
