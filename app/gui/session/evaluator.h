#pragma once
// Completes moments of the past on a thread of its own: the window never waits for a model.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/lab/study.h"

namespace emergence {

class Evaluator {
  public:
    /// `on_answer` is called on the evaluator's thread after each answer (wake the window); may be empty.
    explicit Evaluator(std::function<void()> on_answer) : on_answer_(std::move(on_answer)) {}
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// Evaluate `moment` with `settings`. A question that has not been begun is replaced: of many asked
    /// while somebody drags only the last one counts.
    void ask(std::shared_ptr<const Study> study, std::shared_ptr<const Snapshot> moment, Settings settings);
    /// The latest answer, once; null where there is none. A moment that cannot be evaluated comes back as it
    /// is.
    std::shared_ptr<const Snapshot> take();

  private:
    struct Question {
        std::shared_ptr<const Study> study;
        std::shared_ptr<const Snapshot> moment;
        Settings settings;
    };
    void work();

    std::function<void()> on_answer_;
    std::mutex mutex_;
    std::condition_variable came_;
    std::optional<Question> question_;
    std::shared_ptr<const Snapshot> answer_;
    bool closing_ = false;
    std::thread thread_;  // started by the first question
};

}  // namespace emergence
