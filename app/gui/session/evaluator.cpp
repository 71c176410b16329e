#include "app/gui/session/evaluator.h"

#include <exception>
#include <utility>

namespace emergence {
namespace {

std::shared_ptr<const Snapshot> answer_to(const Study& study, const std::shared_ptr<const Snapshot>& moment,
                                          const Settings& settings) {
    try {
        return std::make_shared<const Snapshot>(study.inspect(*moment, {"evaluate", settings}));
    } catch (const std::exception&) {  // its matrices and curves can be shown all the same
        return moment;
    }
}

}  // namespace

Evaluator::~Evaluator() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    came_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Evaluator::ask(std::shared_ptr<const Study> study, std::shared_ptr<const Snapshot> moment,
                    Settings settings) {
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    {
        const std::lock_guard lock(mutex_);
        question_ = Question{std::move(study), std::move(moment), std::move(settings)};
    }
    came_.notify_one();
}

std::shared_ptr<const Snapshot> Evaluator::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answer_, nullptr);
}

void Evaluator::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        came_.wait(lock, [this] { return closing_ || question_; });
        if (closing_) return;
        const Question question = std::move(*question_);
        question_.reset();
        lock.unlock();
        auto answer = answer_to(*question.study, question.moment, question.settings);
        lock.lock();
        answer_ = std::move(answer);
        lock.unlock();
        if (on_answer_) on_answer_();
        lock.lock();
    }
}

}  // namespace emergence
