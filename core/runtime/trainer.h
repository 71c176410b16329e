#pragma once
// The thread that owns a Run: it advances the seeds, publishes snapshots and obeys commands. The window never
// waits for it and never touches the model.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/runtime/command.h"
#include "core/runtime/metrics.h"
#include "core/runtime/snapshot.h"

namespace emergence {

/// What the trainer has published since it was last asked.
struct Published {
    std::shared_ptr<const Snapshot> snapshot;  // the latest; null where there is none newer
    std::vector<MetricRow> rows;               // every row since, none lost, all of `run_number`
    uint64_t run_number = 0;                   // a change means: clear the history first
    std::shared_ptr<const Study> study;  // of that run: names of metrics and plots; immutable parts only
};

/// A banner's worth of bad news: a refused setting, an exception.
struct Notice {
    std::string text;
};

class Trainer {
  public:
    struct Options {
        int threads = 1;
        double steps_per_second = 0.0;       // pace; 0 is as fast as it goes
        double publish_interval = 1.0 / 30;  // seconds: at most this often
        std::function<void()>
            on_publish;  // called on the trainer's thread after each publish (wake the window)
    };

    Trainer(const Restart& first, Options options);
    ~Trainer();  // stops within one chunk of work
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    /// Never blocks on training: a short lock on a queue.
    void send(Command command);
    /// Never blocks on training: a short lock on a mailbox.
    Published poll();
    std::vector<Notice> take_notices();
    /// Longest time, in seconds, that send() or poll() has waited for a lock: shown in the window's help,
    /// measured in tests.
    double longest_wait() const;

  private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace emergence
